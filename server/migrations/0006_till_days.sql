-- What a branch took today is summed at each of its calls: without this, each reads all that its credential ever took.
create index till_operations_by_branch on till_operations (credential_id, branch, created_at) where state = 'authorised';
