"""Chapter 10: the audit of one release, evaluated on groups of people."""
