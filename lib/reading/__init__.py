"""Reading tables of records: times, chunks of rows, and what became of every row."""
