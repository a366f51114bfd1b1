import type { RepositoryHost } from '@firsthand/contract'
import type { Generated } from 'kysely'
import type { Instant, JsonText } from '../../storage/ledger/schema.ts'

export type ReleaseStatus = 'open' | 'archived'

export interface ReleaseCommitTable {
  release_id: number
  /** 0 is the newest. */
  place: number
  commit_id: string
  /** As the client called it: `owner/name`, or `origin`. */
  repository: string | null
  message: string | null
  author_name: string | null
  author_email: string | null
  committed_at: Instant | null
  /** `[path, type][]` of the files that it changed. */
  files: JsonText
}

export interface ReleaseDeployTable {
  id: Generated<number>
  release_id: number
  environment: string
  name: string | null
  url: string | null
  started_at: Instant | null
  finished_at: Instant
}

export interface RepositoryTable {
  id: Generated<number>
  organization_id: number
  name: string
  url: string | null
  /** Whose addresses it has, where somebody said so. */
  host: RepositoryHost | null
  /** Of `other`: addresses with `{commit}`, `{path}` and `{line}` in them. */
  commit_url: string | null
  line_url: string | null
  created_at: Instant
}

/** Files of a project's stacks that begin with the one root begin with the other in a repository. */
export interface CodeMappingTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  repository_id: number
  stack_root: string
  source_root: string
  default_branch: string
  created_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    release_commits: ReleaseCommitTable
    release_deploys: ReleaseDeployTable
    repositories: RepositoryTable
    code_mappings: CodeMappingTable
  }
}
