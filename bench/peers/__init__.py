"""Others' memories beside Muniment over HTTP: the same texts, the same vectors, one run."""
