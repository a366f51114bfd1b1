import {
  addTeamMember,
  addTeamProject,
  createTeam,
  deleteTeam,
  listTeamMembers,
  PAGE_LIMIT_MAX,
  removeTeamMember,
  removeTeamProject,
  updateTeam,
  type Team,
} from '@firsthand/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { membersQuery, teamsQuery } from '../../../lib/organization-queries.ts'
import { everyPage, projectsQuery, useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import {
  AlertDialog,
  Button,
  EmptyState,
  Field,
  FormDialog,
  FieldStack,
  IconButton,
  Input,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  MultiCombobox,
  Panel,
  PlusIcon,
  Skeleton,
  toast,
  UsersIcon,
} from '../../../ui/index.ts'
import { SettingsPage } from './SettingsPage.tsx'

const teamMembersQuery = (org: string, team: string) =>
  queryOptions({
    queryKey: [...organizationKeys.teams(org), team, 'members'],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listTeamMembers, { params: { org, team }, query: { limit: PAGE_LIMIT_MAX, cursor }, signal }),
      ),
  })

/** Teams: who belongs to them, and which projects are theirs. Issues can be assigned to a team. */
export function TeamsSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/teams' })
  const teams = useQuery(teamsQuery(org))
  const mayWrite = useAccess(org)('team:write')
  const [editing, setEditing] = useState<Team | 'new' | null>(null)
  return (
    <SettingsPage
      title="Teams"
      what="The teams"
      mayWrite={mayWrite}
      query={teams}
      actions={
        mayWrite ? (
          <Button variant="primary" icon={PlusIcon} onClick={() => setEditing('new')}>
            New team
          </Button>
        ) : undefined
      }
    >
      {(data) => (
        <>
          {data.length === 0 ? (
            <EmptyState icon={UsersIcon} title="No teams yet">
              A team brings people and projects together. Issues can be assigned to a team instead of one person.
            </EmptyState>
          ) : (
            data.map((team) => (
              <TeamPanel key={team.id} org={org} team={team} mayWrite={mayWrite} onRename={() => setEditing(team)} />
            ))
          )}
          {editing === null ? null : (
            <TeamDialog org={org} team={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
          )}
        </>
      )}
    </SettingsPage>
  )
}

interface TeamPanelProps {
  readonly org: string
  readonly team: Team
  readonly mayWrite: boolean
  readonly onRename: () => void
}

/** One team: its members and projects, each a list that is changed in place. */
function TeamPanel({ org, team, mayWrite, onRename }: TeamPanelProps) {
  const { data: members = [] } = useQuery(membersQuery(org))
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const own = useQuery(teamMembersQuery(org, team.slug))
  const changes = useTeamChanges(org, team)
  const [deleting, setDeleting] = useState(false)
  const ownMembers = (own.data ?? []).map((member) => member.id)
  return (
    <Panel
      title={team.name}
      subtitle={`#${team.slug}`}
      actions={
        mayWrite ? (
          <Menu align="end" trigger={<IconButton icon={MoreIcon} size="small" label={`More for team ${team.name}`} />}>
            <MenuItem onSelect={onRename}>Rename…</MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => setDeleting(true)}>
              Delete…
            </MenuItem>
          </Menu>
        ) : undefined
      }
    >
      <FieldStack>
        <Field label="Members">
          {own.data === undefined && !own.isError ? (
            <Skeleton height={30} />
          ) : (
            <MultiCombobox
              placeholder={mayWrite ? 'Add somebody' : 'Nobody'}
              disabled={!mayWrite}
              values={ownMembers}
              onValuesChange={(values) => changes.setMembers(ownMembers, values)}
              options={members.map((member) => ({ value: member.id, label: member.name || member.email }))}
            />
          )}
        </Field>
        <Field label="Projects">
          <MultiCombobox
            placeholder={mayWrite ? 'Add a project' : 'None'}
            disabled={!mayWrite}
            values={team.projects.map((project) => project.slug)}
            onValuesChange={changes.setProjects}
            options={projects.map((project) => ({ value: project.slug, label: project.name }))}
          />
        </Field>
      </FieldStack>
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete team ${team.name}?`}
        description="Its members and projects stay; issues assigned to it become unassigned."
        confirmLabel="Delete team"
        busy={changes.busy}
        onConfirm={() => void changes.remove().finally(() => setDeleting(false))}
      />
    </Panel>
  )
}

/** What can be done with a team. Its lists are asked for again after each change; a refusal is told by a toast. */
function useTeamChanges(org: string, team: Team) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const params = { org, team: team.slug }
  const fail = (title: string) => (error: unknown) => {
    toast({ title, description: describeError(error).detail, tone: 'error' })
  }
  const refresh = (): Promise<unknown> =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: organizationKeys.teams(org) }),
      queryClient.invalidateQueries({ queryKey: organizationKeys.members(org) }),
    ])
  /** Calls what makes the old list the new one; the lists are asked for again in any case. */
  const change = (
    before: readonly string[],
    after: readonly string[],
    add: (id: string) => Promise<unknown>,
    remove: (id: string) => Promise<unknown>,
  ): void => {
    const calls = [
      ...after.filter((id) => !before.includes(id)).map(add),
      ...before.filter((id) => !after.includes(id)).map(remove),
    ]
    void Promise.all(calls)
      .catch(fail('The team could not be changed'))
      .then(refresh)
      // The refusal was told above; a failed refresh has the list's own error state.
      .catch(() => undefined)
  }
  return {
    busy,
    setMembers: (before: readonly string[], after: readonly string[]) =>
      change(
        before,
        after,
        (member) => api.call(addTeamMember, { params: { ...params, member } }),
        (member) => api.call(removeTeamMember, { params: { ...params, member } }),
      ),
    setProjects: (after: readonly string[]) =>
      change(
        team.projects.map((project) => project.slug),
        after,
        (project) => api.call(addTeamProject, { params: { ...params, project } }),
        (project) => api.call(removeTeamProject, { params: { ...params, project } }),
      ),
    remove: (): Promise<void> => {
      setBusy(true)
      return api
        .call(deleteTeam, { params })
        .then(() => {
          showSaved(queryClient, teamsQuery(org).queryKey, (old) => old?.filter((other) => other.id !== team.id))
          toast({ title: `Team ${team.name} deleted` })
          return refresh()
        })
        .then(() => undefined, fail('The team could not be deleted'))
        .finally(() => setBusy(false))
    },
  }
}

function TeamDialog({
  org,
  team,
  onClose,
}: {
  readonly org: string
  readonly team: Team | null
  readonly onClose: () => void
}) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { name: team?.name ?? '' },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name the team.' } : {}),
    submit: async (body) => {
      const saved =
        team === null
          ? await api.call(createTeam, { params: { org }, body })
          : await api.call(updateTeam, { params: { org, team: team.slug }, body })
      showSaved(queryClient, teamsQuery(org).queryKey, (old) =>
        team === null ? [...(old ?? []), saved] : old?.map((other) => (other.id === saved.id ? saved : other)),
      )
      toast({ title: team === null ? `Team ${saved.name} created` : `Team renamed to ${saved.name}`, tone: 'ok' })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={team === null ? 'New team' : `Rename team ${team.name}`}
      submitLabel={team === null ? 'Create team' : 'Save'}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        <Input value={form.values.name} onValueChange={(value) => form.set('name', value)} />
      </Field>
    </FormDialog>
  )
}
