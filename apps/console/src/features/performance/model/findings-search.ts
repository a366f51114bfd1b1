/** What the stream of issues is asked for to have the findings alone. */
export const FINDINGS = 'is:unresolved issue.category:performance'
