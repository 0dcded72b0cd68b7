"""A fresh look sees no finding, in whichever words it is held (RULES 13.3).

| a turn | asked `fresh` | then |
|---|---|---|
| a finding on the source cites it | on that source, by any name; on none | out: `mode`, by the finding |
| | on another source | in |
| nothing but a fact cites it; nothing does | | in |
| a fact, a turn that nothing cites, in the words of a finding | on that source; on none | out: `mode`, by the finding |
| | on another source, in another mode | in |
| cited | in another mode, or in none | in |
| cited since | of the record before that | in |
"""

from datetime import timedelta
from typing import Any

from tests.integration.analysing import FINDINGS, SOURCE, report
from tests.integration.test_context import assemble, say, sections, tell
from tests.support.world import START, Local, Tenant

CITED = "Returns with the new courier rose to nine percent."
OTHER = "Returns with the new courier have a hall of their own."


async def turns(tenant: Tenant, **more: Any) -> list[str]:
    return sorted(sections(await assemble(tenant, **more)).get("interactions", []))


async def test_what_a_finding_cites(service: Local, tenant: Tenant) -> None:
    await tenant("sources.define", name=SOURCE, aliases=["orders"])
    await say(tenant, CITED, OTHER, session="s")
    await tell(tenant, "Has a hall for returns.", evidence=[{"session_id": "s", "turn": 1}])
    before = (await assemble(tenant, mode="fresh")).watermarks
    assert await turns(tenant, mode="fresh", data_source=SOURCE) == [OTHER, CITED]
    service.clock.advance(days=1)
    cited = FINDINGS[0] | {"text": CITED, "evidence": [{"session_id": "s", "turn": 0}]}
    made = await report(tenant, session_id="s", findings=[cited])
    for source in (SOURCE, "orders", None):
        found = await assemble(tenant, mode="fresh", data_source=source)
        assert sections(found)["interactions"] == [OTHER]
        assert "findings" not in sections(found)
        assert CITED not in found.text
        (out,) = [one for one in found.dropped if one.tier == "episodic"]
        assert (out.reason, out.by) == ("mode", made.findings[0].id)
    for mode, source in (("fresh", "another"), ("re-run", SOURCE), (None, SOURCE)):
        found = await assemble(tenant, mode=mode, data_source=source)
        assert CITED in found.text
    then = {"known_at": before.user, "as_of": START + timedelta(hours=1)}
    assert await turns(tenant, mode="fresh", data_source=SOURCE, **then) == [OTHER, CITED]


async def test_what_has_the_words_of_a_finding(tenant: Tenant) -> None:
    await say(tenant, CITED, OTHER, session="s")
    fact = await tell(tenant, CITED, evidence=[{"session_id": "s", "turn": 0}])
    words = CITED.replace(" ", "  ", 1)
    made = await report(tenant, session_id="r", findings=[FINDINGS[0] | {"text": words}])
    for more in ({"data_source": SOURCE}, {}, {"data_source": SOURCE, "leave_out": ["findings"]}):
        found = await assemble(tenant, mode="fresh", **more)
        assert CITED not in found.text
        assert OTHER in found.text
        out = {one.tier: one for one in found.dropped if one.section != "findings"}
        assert out["semantic"].id == fact
        for one in out.values():
            assert (one.reason, one.by) == ("mode", made.findings[0].id)
        assert set(out) == {"semantic", "episodic"}
    for mode, source in (("fresh", "another"), ("extend", SOURCE), (None, SOURCE)):
        found = await assemble(tenant, mode=mode, data_source=source)
        assert " ".join(found.text.split()).count(CITED) == 1
