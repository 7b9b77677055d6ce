"""The service: who may do what, projects and their tables, and jobs in processes of their own."""
