"""What a policy costs and loses over a session, in numbers. The recorded agent's later steps are taken as given."""
