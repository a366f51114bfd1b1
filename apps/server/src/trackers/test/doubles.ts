import type { Double } from './double.ts'
import { startGitea, startGithub } from './repository-double.ts'

/** A local tracker of each kind. */
export const DOUBLES: readonly { readonly name: string; readonly start: () => Promise<Double> }[] = [
  { name: 'GitHub', start: startGithub },
  { name: 'Gitea', start: startGitea },
]
