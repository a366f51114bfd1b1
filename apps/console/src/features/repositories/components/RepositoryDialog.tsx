import { createRepository, updateRepository, type Repository } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Field, FormDialog, Input, Select, toast } from '../../../ui/index.ts'
import { bodyOf, HOST_OPTIONS, problemsOf, startOf, type RepositoryForm } from '../model/form.ts'
import { repositoriesKey } from '../query-keys.ts'

/** Adds a repository, or changes how its pages are addressed. */
export function RepositoryDialog({
  org,
  repository,
  onClose,
}: {
  readonly org: string
  /** Null: a new one. */
  readonly repository: Repository | null
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const form = useForm<RepositoryForm>({
    initial: startOf(repository),
    validate: problemsOf,
    submit: async (values) => {
      const body = bodyOf(values)
      if (repository === null) await api.call(createRepository, { params: { org }, body })
      else await api.call(updateRepository, { params: { org, repository: repository.id }, body })
      await client.invalidateQueries({ queryKey: repositoriesKey(org) })
      toast({ title: repository === null ? 'Repository added' : 'Repository saved' })
      onClose()
    },
  })
  const { commitUrl, host, lineUrl, name, url } = form.values
  return (
    <FormDialog
      form={form}
      title={repository === null ? 'Add a repository' : `Change ${repository.name}`}
      description="Commits and lines of code lead to its pages. Nothing is ever fetched from it."
      submitLabel={repository === null ? 'Add' : 'Save'}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name} help="As builds call it in set-commits.">
        <Input placeholder="acme/shop" value={name} onValueChange={(value) => form.set('name', value)} />
      </Field>
      <Field label="Address" error={form.errors.url} optional={host === 'other'}>
        <Input
          placeholder="https://github.com/acme/shop"
          value={url}
          onValueChange={(value) => form.set('url', value)}
        />
      </Field>
      <Field label="Host">
        <Select value={host} onValueChange={(value) => form.set('host', value)} options={HOST_OPTIONS} />
      </Field>
      {host === 'other' ? (
        <>
          <Field label="Page of a commit" error={form.errors.commitUrl} optional>
            <Input
              mono
              placeholder="https://code.example/shop/commit/{commit}"
              value={commitUrl}
              onValueChange={(value) => form.set('commitUrl', value)}
            />
          </Field>
          <Field label="Page of a line" error={form.errors.lineUrl} optional>
            <Input
              mono
              placeholder="https://code.example/shop/{commit}/{path}#L{line}"
              value={lineUrl}
              onValueChange={(value) => form.set('lineUrl', value)}
            />
          </Field>
        </>
      ) : null}
    </FormDialog>
  )
}
