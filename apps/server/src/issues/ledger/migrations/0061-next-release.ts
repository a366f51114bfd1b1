/** With each new release of a project, the issues that are resolved in its next one are asked for. */
export const nextRelease = (): readonly string[] => [
  `CREATE INDEX issues_of_next_release ON issues (project_id) WHERE status = 'resolved' AND status_details LIKE '%"inNextRelease":true%'`,
]
