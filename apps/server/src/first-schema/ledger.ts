import { columnTypes } from '../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../storage/ledger/dialect.ts'

/** First shape of the ledger; the columns are described in `../schema.ts`. */
// long: one list of tables is easier to look up than many parts of one, and a shipped migration is never changed
export const initial = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, bytes, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE organizations (
      id ${id},
      slug text NOT NULL UNIQUE,
      name text NOT NULL,
      retention_days ${int} NOT NULL,
      settings text NOT NULL,
      created_at ${int} NOT NULL
    )`,

    `CREATE TABLE users (
      id ${id},
      email text NOT NULL UNIQUE,
      name text NOT NULL,
      password_hash text NOT NULL,
      preferences text NOT NULL,
      created_at ${int} NOT NULL,
      last_login_at ${int}
    )`,

    `CREATE TABLE members (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE CASCADE,
      email text NOT NULL,
      role text NOT NULL,
      invite_hash text UNIQUE,
      invite_expires_at ${int},
      created_at ${int} NOT NULL,
      UNIQUE (organization_id, email)
    )`,
    `CREATE UNIQUE INDEX members_user ON members (user_id, organization_id) WHERE user_id IS NOT NULL`,

    `CREATE TABLE teams (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      slug text NOT NULL,
      name text NOT NULL,
      created_at ${int} NOT NULL,
      UNIQUE (organization_id, slug)
    )`,

    `CREATE TABLE projects (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      slug text NOT NULL,
      name text NOT NULL,
      platform text NOT NULL,
      settings text NOT NULL,
      first_event_at ${int},
      last_issue_number ${int} NOT NULL,
      created_at ${int} NOT NULL,
      deleted_at ${int},
      UNIQUE (organization_id, slug)
    )`,
    `CREATE INDEX projects_deleted ON projects (deleted_at) WHERE deleted_at IS NOT NULL`,

    `CREATE TABLE team_members (
      team_id ${int} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      member_id ${int} NOT NULL REFERENCES members (id) ON DELETE CASCADE,
      PRIMARY KEY (team_id, member_id)
    )${clustered}`,
    `CREATE INDEX team_members_member ON team_members (member_id)`,

    `CREATE TABLE team_projects (
      team_id ${int} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      PRIMARY KEY (team_id, project_id)
    )${clustered}`,
    `CREATE INDEX team_projects_project ON team_projects (project_id)`,

    `CREATE TABLE project_keys (
      id ${id},
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      public_key text NOT NULL UNIQUE,
      label text NOT NULL,
      is_active ${flag} NOT NULL,
      rate_limit_count ${int},
      rate_limit_window_seconds ${int},
      created_at ${int} NOT NULL,
      last_used_at ${int}
    )`,
    `CREATE INDEX project_keys_project ON project_keys (project_id)`,

    `CREATE TABLE api_tokens (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE CASCADE,
      name text NOT NULL,
      token_hash text NOT NULL UNIQUE,
      token_tail text NOT NULL,
      scopes text NOT NULL,
      created_at ${int} NOT NULL,
      last_used_at ${int},
      expires_at ${int}
    )`,
    `CREATE INDEX api_tokens_organization ON api_tokens (organization_id)`,
    `CREATE INDEX api_tokens_user ON api_tokens (user_id)`,

    `CREATE TABLE sessions (
      id_hash text PRIMARY KEY,
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at ${int} NOT NULL,
      last_seen_at ${int} NOT NULL,
      expires_at ${int} NOT NULL,
      user_agent text NOT NULL,
      address text NOT NULL
    )${clustered}`,
    `CREATE INDEX sessions_user ON sessions (user_id)`,
    `CREATE INDEX sessions_expiry ON sessions (expires_at)`,

    `CREATE TABLE issues (
      id ${id},
      organization_id ${int} NOT NULL,
      project_id ${int} NOT NULL REFERENCES projects (id),
      number ${int} NOT NULL,
      type text NOT NULL,
      category text NOT NULL,
      title text NOT NULL,
      culprit text NOT NULL,
      metadata text NOT NULL,
      level text NOT NULL,
      level_rank ${int} NOT NULL,
      platform text NOT NULL,
      logger text NOT NULL,
      status text NOT NULL,
      substatus text,
      status_details text NOT NULL,
      priority text NOT NULL,
      is_unhandled ${flag} NOT NULL,
      first_seen ${int} NOT NULL,
      last_seen ${int} NOT NULL,
      times_seen ${int} NOT NULL,
      first_release text,
      last_release text,
      assigned_user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      assigned_team_id ${int} REFERENCES teams (id) ON DELETE SET NULL,
      deleted_at ${int},
      merged_into_id ${int},
      created_at ${int} NOT NULL,
      changed_at ${int} NOT NULL,
      UNIQUE (project_id, number)
    )`,
    // One index per order of the issue stream, per project and over the whole organisation.
    `CREATE INDEX issues_project_last_seen ON issues (project_id, status, last_seen, id)`,
    `CREATE INDEX issues_organization_last_seen ON issues (organization_id, status, last_seen, id)`,
    `CREATE INDEX issues_project_first_seen ON issues (project_id, status, first_seen, id)`,
    `CREATE INDEX issues_organization_first_seen ON issues (organization_id, status, first_seen, id)`,
    `CREATE INDEX issues_project_times_seen ON issues (project_id, status, times_seen, id)`,
    `CREATE INDEX issues_organization_times_seen ON issues (organization_id, status, times_seen, id)`,
    `CREATE INDEX issues_assigned_user ON issues (assigned_user_id) WHERE assigned_user_id IS NOT NULL`,
    `CREATE INDEX issues_assigned_team ON issues (assigned_team_id) WHERE assigned_team_id IS NOT NULL`,
    `CREATE INDEX issues_new ON issues (first_seen) WHERE substatus = 'new'`,
    `CREATE INDEX issues_archived ON issues (id) WHERE status = 'ignored'`,
    `CREATE INDEX issues_merged ON issues (merged_into_id) WHERE merged_into_id IS NOT NULL`,
    `CREATE INDEX issues_deleted ON issues (deleted_at) WHERE deleted_at IS NOT NULL`,

    `CREATE TABLE issue_hashes (
      project_id ${int} NOT NULL REFERENCES projects (id),
      hash text NOT NULL,
      issue_id ${int},
      grouping_version text NOT NULL,
      created_at ${int} NOT NULL,
      PRIMARY KEY (project_id, hash)
    )${clustered}`,
    `CREATE INDEX issue_hashes_issue ON issue_hashes (issue_id)`,

    `CREATE TABLE issue_activity (
      id ${id},
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      type text NOT NULL,
      data text NOT NULL,
      created_at ${int} NOT NULL
    )`,
    `CREATE INDEX issue_activity_issue ON issue_activity (issue_id, id)`,
    `CREATE INDEX issue_activity_user ON issue_activity (user_id) WHERE user_id IS NOT NULL`,

    // No index by time: expiry walks the key in steps, and every event is spared a second entry.
    `CREATE TABLE event_index (
      project_id ${int} NOT NULL,
      event_id ${bytes} NOT NULL,
      issue_id ${int} NOT NULL,
      timestamp ${int} NOT NULL,
      batch ${int} NOT NULL,
      PRIMARY KEY (project_id, event_id)
    )${clustered}`,

    `CREATE TABLE releases (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      version text NOT NULL,
      first_seen ${int} NOT NULL,
      last_seen ${int} NOT NULL,
      date_released ${int},
      UNIQUE (organization_id, version)
    )`,
    `CREATE INDEX releases_newest ON releases (organization_id, first_seen)`,

    `CREATE TABLE release_projects (
      release_id ${int} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      first_seen ${int} NOT NULL,
      new_issues ${int} NOT NULL,
      PRIMARY KEY (release_id, project_id)
    )${clustered}`,
    `CREATE INDEX release_projects_project ON release_projects (project_id, first_seen)`,

    `CREATE TABLE environments (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      name text NOT NULL,
      first_seen ${int} NOT NULL,
      PRIMARY KEY (project_id, name)
    )${clustered}`,

    `CREATE TABLE digest_progress (
      spool text PRIMARY KEY,
      batch ${int} NOT NULL,
      segment ${int} NOT NULL,
      "offset" ${int} NOT NULL,
      pending_segment ${int},
      pending_offset ${int},
      updated_at ${int} NOT NULL
    )`,

    `CREATE TABLE facts (
      id ${id},
      organization_id ${int} NOT NULL,
      project_id ${int} NOT NULL,
      issue_id ${int},
      type text NOT NULL,
      data text NOT NULL,
      created_at ${int} NOT NULL
    )`,

    `CREATE TABLE blobs (
      key text PRIMARY KEY,
      organization_id ${int} NOT NULL,
      bytes ${int} NOT NULL,
      expires_at ${int} NOT NULL
    )${clustered}`,
    `CREATE INDEX blobs_expiry ON blobs (expires_at)`,
    `CREATE INDEX blobs_organization ON blobs (organization_id)`,

    `CREATE TABLE installation (
      key text PRIMARY KEY,
      value text NOT NULL
    )`,
  ]
}
