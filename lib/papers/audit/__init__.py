"""The chapter on audits: the audit of one release, evaluated on groups of people."""
