import { createKey, deleteKey, updateKey, type ProjectKey } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  AlertDialog,
  Badge,
  Button,
  CopyButton,
  Dialog,
  EmptyState,
  ErrorState,
  Field,
  FieldStack,
  IconButton,
  Input,
  KeyIcon,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  Notice,
  Panel,
  PlusIcon,
  RelativeTime,
  Select,
  SkeletonRows,
  toast,
} from '../../../ui/index.ts'
import { keysQuery } from '../../projects/index.ts'
import { describeLimit, readLimit, WINDOWS } from '../model/rate-limit.ts'
import styles from './settings.module.css'

interface Place {
  readonly org: string
  readonly project: string
}

/** Client keys: their DSNs, limits, and whether they work. */
export function ProjectKeys({ org, project, mayWrite }: Place & { readonly mayWrite: boolean }) {
  const keys = useQuery(keysQuery(org, project))
  const [editing, setEditing] = useState<ProjectKey | 'new' | null>(null)
  const place = { org, project }
  return (
    <>
      <Panel
        title="Client keys"
        subtitle="what an application needs to report"
        content="rows"
        actions={
          mayWrite ? (
            <Button icon={PlusIcon} size="small" onClick={() => setEditing('new')}>
              New key
            </Button>
          ) : undefined
        }
      >
        {keys.data === undefined ? (
          keys.isError ? (
            <ErrorState
              compact
              title="The keys could not be loaded"
              {...describeError(keys.error)}
              onRetry={() => void keys.refetch()}
            />
          ) : (
            <SkeletonRows rows={3} rowHeight={64} label="Loading the keys" />
          )
        ) : keys.data.length === 0 ? (
          <EmptyState compact icon={KeyIcon} title="No keys">
            Without a key nothing can report to this project.
          </EmptyState>
        ) : (
          <ul className={styles.rows}>
            {keys.data.map((key) => (
              <KeyRow key={key.id} {...place} projectKey={key} mayWrite={mayWrite} onEdit={() => setEditing(key)} />
            ))}
          </ul>
        )}
      </Panel>
      {editing === null ? null : (
        <KeyDialog {...place} projectKey={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

/** Puts a changed key into the list, or takes a deleted one out. */
function useKeyList({ org, project }: Place) {
  const queryClient = useQueryClient()
  const { queryKey } = keysQuery(org, project)
  return {
    put: (key: ProjectKey) =>
      queryClient.setQueryData(queryKey, (old) =>
        old === undefined
          ? [key]
          : old.some((other) => other.id === key.id)
            ? old.map((other) => (other.id === key.id ? key : other))
            : [...old, key],
      ),
    remove: (id: string) => queryClient.setQueryData(queryKey, (old) => old?.filter((key) => key.id !== id)),
  }
}

function KeyRow({
  org,
  project,
  projectKey: key,
  mayWrite,
  onEdit,
}: Place & { readonly projectKey: ProjectKey; readonly mayWrite: boolean; readonly onEdit: () => void }) {
  const list = useKeyList({ org, project })
  const [deleting, setDeleting] = useState(false)
  const [busy, setBusy] = useState(false)
  const params = { org, project, key: key.id }

  const setActive = (isActive: boolean): void => {
    list.put({ ...key, isActive })
    api.call(updateKey, { params, body: { isActive } }).then(
      (changed) => {
        list.put(changed)
        toast({
          title: isActive ? 'The key works again' : 'The key is switched off: what is sent with it is refused',
          ...(!isActive && { action: { label: 'Undo', run: () => setActive(true) } }),
        })
      },
      (error: unknown) => {
        list.put(key)
        toast({ title: 'The key was not changed.', description: describeError(error).detail, tone: 'error' })
      },
    )
  }

  const remove = (): void => {
    setBusy(true)
    api
      .call(deleteKey, { params })
      .then(
        () => {
          list.remove(key.id)
          toast({ title: `Key ${key.name} deleted` })
        },
        (error: unknown) =>
          toast({ title: 'The key was not deleted.', description: describeError(error).detail, tone: 'error' }),
      )
      .finally(() => {
        setBusy(false)
        setDeleting(false)
      })
  }

  return (
    <li className={styles.row}>
      <div className={styles.main}>
        <p className={styles.name}>
          {key.name} {key.isActive ? null : <Badge tone="warning">Switched off</Badge>}
        </p>
        <p className={styles.sub}>
          Limit: {describeLimit(key.rateLimit)} ·{' '}
          {key.dateLastUsed === null ? (
            'never used'
          ) : (
            <>
              used <RelativeTime time={key.dateLastUsed} />
            </>
          )}
        </p>
      </div>
      {mayWrite ? (
        <div className={styles.actions}>
          <Button size="small" onClick={onEdit}>
            Edit
          </Button>
          <Menu align="end" trigger={<IconButton icon={MoreIcon} size="small" label={`More for key ${key.name}`} />}>
            <MenuItem onSelect={() => setActive(!key.isActive)}>{key.isActive ? 'Switch off' : 'Switch on'}</MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => setDeleting(true)}>
              Delete…
            </MenuItem>
          </Menu>
        </div>
      ) : null}
      <Dsn label="DSN" value={key.dsn.public} />
      <details className={styles.more}>
        <summary>Other addresses</summary>
        <Dsn label="Security reports (CSP: report-uri)" value={key.dsn.security} />
        <Dsn label="Minidumps" value={key.dsn.minidump} />
        <Dsn label="DSN with secret, for SDKs before 2018" value={key.dsn.secret} />
      </details>
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete key ${key.name}?`}
        description="Applications that still use its DSN are refused from then on. Switching it off does the same and can be undone."
        confirmLabel="Delete key"
        busy={busy}
        onConfirm={remove}
      />
    </li>
  )
}

function Dsn({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className={styles.dsn}>
      <span className={styles.sub}>{label}</span>
      <div className={styles.secret}>
        <code>{value}</code>
        <CopyButton text={value} label={label} />
      </div>
    </div>
  )
}

function KeyDialog({
  org,
  project,
  projectKey,
  onClose,
}: Place & { readonly projectKey: ProjectKey | null; readonly onClose: () => void }) {
  const list = useKeyList({ org, project })
  const form = useForm({
    initial: {
      name: projectKey?.name ?? '',
      count: projectKey?.rateLimit === null || projectKey === null ? '' : String(projectKey.rateLimit.count),
      window: String(projectKey?.rateLimit?.window ?? 3600),
    },
    validate: ({ name, count, window }) => {
      const limit = readLimit(count, window)
      return {
        ...(name.trim() === '' && { name: 'Name the key after what uses it.' }),
        ...('error' in limit && { count: limit.error }),
      }
    },
    submit: async ({ name, count, window }) => {
      const read = readLimit(count, window)
      const rateLimit = 'limit' in read ? read.limit : null
      const saved =
        projectKey === null
          ? await api.call(createKey, { params: { org, project }, body: { name, rateLimit } })
          : await api.call(updateKey, { params: { org, project, key: projectKey.id }, body: { name, rateLimit } })
      list.put(saved)
      toast({ title: projectKey === null ? `Key ${saved.name} created` : `Key ${saved.name} saved`, tone: 'ok' })
      onClose()
    },
  })
  const windows = WINDOWS.some((option) => option.value === form.values.window)
    ? WINDOWS
    : [...WINDOWS, { value: form.values.window, label: `every ${form.values.window} s` }]
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      size="small"
      title={projectKey === null ? 'New key' : `Key ${projectKey.name}`}
      onSubmit={form.onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {projectKey === null ? 'Create key' : 'Save'}
          </Button>
        </>
      }
    >
      <FieldStack>
        <Field label="Name" help="After what uses it: website, worker, tests." error={form.errors.name}>
          <Input value={form.values.name} onValueChange={(value) => form.set('name', value)} />
        </Field>
        <Field
          label="Rate limit"
          optional
          help="Events above it are refused, and SDKs told to wait. Receipts count them."
          error={form.errors.count}
        >
          <Input
            inputMode="numeric"
            placeholder="no limit"
            value={form.values.count}
            onValueChange={(value) => form.set('count', value)}
            trailing={<span className={styles.unit}>events</span>}
          />
        </Field>
        <Field label="Counted" hideLabel>
          <Select
            aria-label="Window of the rate limit"
            value={form.values.window}
            options={windows}
            onValueChange={(value) => form.set('window', value)}
          />
        </Field>
        {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
      </FieldStack>
    </Dialog>
  )
}
