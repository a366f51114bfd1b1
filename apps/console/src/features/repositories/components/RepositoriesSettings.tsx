import {
  createCodeMapping,
  createRepository,
  deleteRepository,
  type CodeMapping,
  type Repository,
} from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { safeLink } from '../../../lib/visible-text.ts'
import {
  Badge,
  Button,
  EmptyState,
  ExternalLink,
  FileIcon,
  IconButton,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  Panel,
  PlusIcon,
  ThingRow,
  ThingRows,
  toast,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { SettingsPage } from '../../settings/index.ts'
import { bodyOf, startOf } from '../model/form.ts'
import { codeMappingsQuery, repositoriesQuery } from '../queries.ts'
import { repositoriesKey } from '../query-keys.ts'
import { RepositoryDialog } from './RepositoryDialog.tsx'

/** Repositories of the organisation, and how their pages are addressed. */
export function RepositoriesSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/repositories' })
  const repositories = useQuery(repositoriesQuery(org))
  const { data: mappings = [] } = useQuery(codeMappingsQuery(org, {}))
  const mayWrite = useAccess(org)('org:write')
  const [editing, setEditing] = useState<Repository | 'new' | null>(null)
  return (
    <SettingsPage
      title="Repositories"
      what="The repositories"
      mayWrite={mayWrite}
      query={repositories}
      actions={
        mayWrite ? (
          <Button variant="primary" icon={PlusIcon} onClick={() => setEditing('new')}>
            Add a repository
          </Button>
        ) : undefined
      }
    >
      {(data) => (
        <>
          {data.length === 0 ? (
            <EmptyState icon={FileIcon} title="No repositories yet">
              With the address of a repository, commits of releases and lines of stack traces lead to its pages. A build
              names it in <code>sentry-cli releases set-commits</code>; nothing is ever fetched from it.
            </EmptyState>
          ) : (
            <Panel content="rows">
              <ThingRows label="Repositories">
                {data.map((repository) => (
                  <RepositoryRow
                    key={repository.id}
                    org={org}
                    repository={repository}
                    mappings={mappings.filter(({ repoId }) => repoId === repository.id)}
                    mayWrite={mayWrite}
                    onChange={() => setEditing(repository)}
                  />
                ))}
              </ThingRows>
            </Panel>
          )}
          {editing === null ? null : (
            <RepositoryDialog
              org={org}
              repository={editing === 'new' ? null : editing}
              onClose={() => setEditing(null)}
            />
          )}
        </>
      )}
    </SettingsPage>
  )
}

interface RowProps {
  readonly org: string
  readonly repository: Repository
  readonly mappings: readonly CodeMapping[]
  readonly mayWrite: boolean
  readonly onChange: () => void
}

function RepositoryRow({ org, repository, mappings, mayWrite, onChange }: RowProps) {
  const { hasLinks, name, url } = repository
  const link = safeLink(url ?? '')
  const projects = [...new Set(mappings.map(({ projectName }) => projectName))]
  return (
    <ThingRow
      name={<VisibleText text={name} />}
      about={[
        link === null ? (
          'No address yet'
        ) : (
          <ExternalLink href={link}>
            <VisibleText text={url ?? ''} />
          </ExternalLink>
        ),
        hasLinks ? null : <Badge tone="warning">Lines have no address</Badge>,
        projects.length === 0 ? null : (
          <>
            Source code of <VisibleText text={projects.join(', ')} />
          </>
        ),
      ]}
    >
      {mayWrite ? <RepositoryActions org={org} repository={repository} onChange={onChange} /> : null}
    </ThingRow>
  )
}

function RepositoryActions({ org, repository, onChange }: Omit<RowProps, 'mappings' | 'mayWrite'>) {
  const client = useQueryClient()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: repositoriesKey(org) }))
  const { id, name } = repository
  const bringBack = async (mappings: readonly CodeMapping[]): Promise<void> => {
    const again = await api.call(createRepository, { params: { org }, body: bodyOf(startOf(repository)) })
    for (const { defaultBranch, projectId, sourceRoot, stackRoot } of mappings) {
      const body = { projectId, repositoryId: again.id, stackRoot, sourceRoot, defaultBranch }
      await api.call(createCodeMapping, { params: { org }, body })
    }
  }
  const remove = async (): Promise<void> => {
    const gone = await changes.during('Deleting', async () => {
      // They go with it, and an undo brings all of them back.
      const mappings = await client.fetchQuery({ ...codeMappingsQuery(org, {}), staleTime: 0 })
      await api.call(deleteRepository, { params: { org, repository: id } })
      return mappings.filter(({ repoId }) => repoId === id)
    })
    if (gone === null) return
    const title = `${name} deleted`
    toast({ title, action: changes.undo(title, () => bringBack(gone)) })
  }
  return (
    <Menu align="end" trigger={<IconButton icon={MoreIcon} label={`More for ${name}`} />}>
      <MenuItem onSelect={onChange}>Change…</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void remove()}>
        Delete
      </MenuItem>
    </Menu>
  )
}
