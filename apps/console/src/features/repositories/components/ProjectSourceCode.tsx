import { createCodeMapping, deleteCodeMapping, type CodeMapping, type Repository } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useForm } from '../../../lib/use-form.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import {
  Button,
  ButtonLink,
  EmptyState,
  Field,
  FileIcon,
  FormDialog,
  IconButton,
  Input,
  Loaded,
  Panel,
  PlusIcon,
  Select,
  SkeletonRows,
  ThingRow,
  ThingRows,
  toast,
  TrashIcon,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { codeMappingsQuery, repositoriesQuery } from '../queries.ts'
import { repositoriesKey } from '../query-keys.ts'
import styles from './repositories.module.css'

/** Which files of the project's stacks are which files of repositories. */
export function ProjectSourceCode({ org, project, mayWrite }: ProjectSettingsProps) {
  const mappings = useQuery(codeMappingsQuery(org, { project: project.slug }))
  const repositories = useQuery(repositoriesQuery(org))
  const [isAdding, setIsAdding] = useState(false)
  const named = repositories.data ?? []
  return (
    <>
      <Panel
        title="Code mappings"
        subtitle="which files of stack traces are which files of a repository"
        content="rows"
        actions={
          mayWrite && named.length > 0 ? (
            <Button size="small" icon={PlusIcon} onClick={() => setIsAdding(true)}>
              Add a mapping
            </Button>
          ) : undefined
        }
      >
        <Loaded
          compact
          query={{ ...mappings, data: repositories.data === undefined ? undefined : mappings.data }}
          outline={<SkeletonRows rows={3} label="Loading the code mappings" />}
          failed="The code mappings could not be loaded"
        >
          {(found) =>
            found.length > 0 ? (
              <ThingRows label="Code mappings">
                {found.map((mapping) => (
                  <MappingRow key={mapping.id} org={org} mapping={mapping} mayWrite={mayWrite} />
                ))}
              </ThingRows>
            ) : named.length > 0 ? (
              <EmptyState icon={FileIcon} title="No code mappings yet">
                A mapping says that <code>src/</code> in stack traces is <code>apps/web/src/</code> in a repository.
              </EmptyState>
            ) : (
              <EmptyState
                icon={FileIcon}
                title="No repository yet"
                action={
                  <ButtonLink to="/organizations/$org/settings/repositories" params={{ org }}>
                    Add a repository
                  </ButtonLink>
                }
              >
                When one is there, you say here which of its files stack traces mean.
              </EmptyState>
            )
          }
        </Loaded>
      </Panel>
      {isAdding ? (
        <MappingDialog org={org} project={project.id} repositories={named} onClose={() => setIsAdding(false)} />
      ) : null}
    </>
  )
}

/** An empty root is written as what it means. */
const rootText = (root: string, whole: string): string => (root === '' ? whole : root)

function MappingRow({
  org,
  mapping,
  mayWrite,
}: {
  readonly org: string
  readonly mapping: CodeMapping
  readonly mayWrite: boolean
}) {
  const client = useQueryClient()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: repositoriesKey(org) }))
  const { defaultBranch, id, projectId, repoId, repoName, sourceRoot, stackRoot } = mapping
  const remove = async (): Promise<void> => {
    const done = await changes.during('Deleting', async () => {
      await api.call(deleteCodeMapping, { params: { org, codeMapping: id } })
      return true
    })
    if (done === null) return
    const body = { projectId, repositoryId: repoId, stackRoot, sourceRoot, defaultBranch }
    const title = 'Code mapping deleted'
    toast({ title, action: changes.undo(title, () => api.call(createCodeMapping, { params: { org }, body })) })
  }
  return (
    <ThingRow
      name={
        <span className={styles.roots}>
          <VisibleText text={`${rootText(stackRoot, 'all files')} → ${rootText(sourceRoot, 'the top folder')}`} />
        </span>
      }
      about={[
        <VisibleText key="where" text={`${repoName}, ${defaultBranch} where the commit of a release is not known`} />,
      ]}
    >
      {mayWrite ? (
        <IconButton
          icon={TrashIcon}
          label={`Delete the mapping of ${rootText(stackRoot, 'all files')}`}
          onClick={() => void remove()}
        />
      ) : null}
    </ThingRow>
  )
}

interface MappingForm {
  readonly repositoryId: string
  readonly stackRoot: string
  readonly sourceRoot: string
  readonly defaultBranch: string
}

function MappingDialog({
  org,
  project,
  repositories,
  onClose,
}: {
  readonly org: string
  readonly project: string
  readonly repositories: readonly Repository[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const form = useForm<MappingForm>({
    initial: { repositoryId: repositories[0]?.id ?? '', stackRoot: '', sourceRoot: '', defaultBranch: 'main' },
    validate: ({ defaultBranch }) =>
      defaultBranch.trim() === '' ? { defaultBranch: 'Write the name of a branch.' } : {},
    submit: async (values) => {
      await api.call(createCodeMapping, { params: { org }, body: { projectId: project, ...values } })
      await client.invalidateQueries({ queryKey: repositoriesKey(org) })
      toast({ title: 'Code mapping added' })
      onClose()
    },
  })
  const { defaultBranch, repositoryId, sourceRoot, stackRoot } = form.values
  return (
    <FormDialog
      form={form}
      title="Add a code mapping"
      description="A frame of src/cart.ts, mapped from src/ to apps/web/src/, leads to apps/web/src/cart.ts."
      submitLabel="Add"
      onClose={onClose}
    >
      <Field label="Repository">
        <Select
          value={repositoryId}
          onValueChange={(value) => form.set('repositoryId', value)}
          options={repositories.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      <Field label="In stack traces files begin with" error={form.errors.stackRoot} optional>
        <Input mono placeholder="src/" value={stackRoot} onValueChange={(value) => form.set('stackRoot', value)} />
      </Field>
      <Field label="In the repository they begin with" error={form.errors.sourceRoot} optional>
        <Input
          mono
          placeholder="apps/web/src/"
          value={sourceRoot}
          onValueChange={(value) => form.set('sourceRoot', value)}
        />
      </Field>
      <Field label="Branch" error={form.errors.defaultBranch} help="For releases whose commits are not known.">
        <Input mono value={defaultBranch} onValueChange={(value) => form.set('defaultBranch', value)} />
      </Field>
    </FormDialog>
  )
}
