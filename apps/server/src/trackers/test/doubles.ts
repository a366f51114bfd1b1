import type { Double } from './double.ts'
import { startGitlab } from './gitlab-double.ts'
import { startJiraCloud, startJiraDataCenter, startJiraScoped } from './jira-double.ts'
import { startLinear } from './linear-double.ts'
import { startGitea, startGithub } from './repository-double.ts'

/** A local tracker of each kind. */
export const DOUBLES: readonly { readonly name: string; readonly start: () => Promise<Double> }[] = [
  { name: 'GitHub', start: startGithub },
  { name: 'Gitea', start: startGitea },
  { name: 'GitLab', start: startGitlab },
  { name: 'Jira Cloud', start: startJiraCloud },
  { name: 'Jira Cloud by a token with scopes', start: startJiraScoped },
  { name: 'Jira Data Center', start: startJiraDataCenter },
  { name: 'Linear', start: startLinear },
]
