/** Which issues came back in a release is asked of all that came back in its projects. */
export const regressionsByProject = (): readonly string[] => [
  `CREATE INDEX issue_activity_regressions ON issue_activity (project_id, id) WHERE type = 'set_regression'`,
]
