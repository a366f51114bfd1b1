import { createKey, deleteKey, updateKey, type Project, type ProjectKey } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { useForm } from '../../../lib/use-form.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import {
  AlertDialog,
  Badge,
  Button,
  CopyButton,
  EmptyState,
  ErrorState,
  Field,
  FormDialog,
  IconButton,
  Input,
  KeyIcon,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  Panel,
  PlusIcon,
  RelativeTime,
  Select,
  SkeletonRows,
  toast,
} from '../../../ui/index.ts'
import { keysQuery } from '../../projects/index.ts'
import { readBytesPerDay, writeBytesPerDay } from '../model/bytes-per-day.ts'
import { describeLimits, readLimit, WINDOWS } from '../model/rate-limit.ts'
import { SwitchesPanel } from './SettingsForm.tsx'
import { useToggleProject } from './use-save-project.ts'
import styles from './settings.module.css'

interface Place {
  readonly org: string
  readonly project: string
}

const PROTECTION = [
  {
    key: 'spikeProtection',
    label: 'Spike protection',
    help: 'Once an hour has ten times as many events as usual, and more than 10,000, further events in that hour are refused and counted in Receipts. A new project is watched for a day first.',
  },
] as const

/** Client keys: their DSNs, limits, and whether they work; and what holds a flood back. */
export function ProjectKeys({
  org,
  project: of,
  mayWrite,
}: {
  readonly org: string
  readonly project: Project
  readonly mayWrite: boolean
}) {
  const project = of.slug
  const toggle = useToggleProject(org, of)
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
      <SwitchesPanel
        title="Floods"
        switches={PROTECTION}
        values={of.settings}
        mayChange={() => mayWrite}
        onChange={(key, checked) => toggle({ [key]: checked }, { ...of.settings, [key]: checked })}
      />
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
      showSaved(queryClient, queryKey, (old) =>
        old === undefined
          ? [key]
          : old.some((other) => other.id === key.id)
            ? old.map((other) => (other.id === key.id ? key : other))
            : [...old, key],
      ),
    remove: (id: string) => showSaved(queryClient, queryKey, (old) => old?.filter((key) => key.id !== id)),
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
        toast({ title: 'The key could not be changed', description: describeError(error).detail, tone: 'error' })
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
          toast({ title: 'The key could not be deleted', description: describeError(error).detail, tone: 'error' }),
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
          Limit: {describeLimits(key.rateLimit, key.bytesPerDay)} ·{' '}
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

interface KeyDialogProps extends Place {
  /** The key to change; null makes a new one. */
  readonly projectKey: ProjectKey | null
  readonly onClose: () => void
}

/** The fields of a key, and how they are saved. */
function useKeyForm({ org, project, projectKey, onClose }: KeyDialogProps) {
  const list = useKeyList({ org, project })
  return useForm({
    initial: {
      name: projectKey?.name ?? '',
      count: projectKey?.rateLimit === null || projectKey === null ? '' : String(projectKey.rateLimit.count),
      window: String(projectKey?.rateLimit?.window ?? 3600),
      bytes: writeBytesPerDay(projectKey?.bytesPerDay ?? null),
    },
    validate: ({ name, count, window, bytes }) => {
      const limit = readLimit(count, window)
      const bytesPerDay = readBytesPerDay(bytes)
      return {
        ...(name.trim() === '' && { name: 'Name the key after what uses it.' }),
        ...('error' in limit && { count: limit.error }),
        ...('error' in bytesPerDay && { bytes: bytesPerDay.error }),
      }
    },
    submit: async ({ name, count, window, bytes }) => {
      const read = readLimit(count, window)
      const rateLimit = 'limit' in read ? read.limit : null
      const readBytes = readBytesPerDay(bytes)
      const body = { name, rateLimit, bytesPerDay: 'bytes' in readBytes ? readBytes.bytes : null }
      const saved =
        projectKey === null
          ? await api.call(createKey, { params: { org, project }, body })
          : await api.call(updateKey, { params: { org, project, key: projectKey.id }, body })
      list.put(saved)
      toast({ title: projectKey === null ? `Key ${saved.name} created` : `Key ${saved.name} saved`, tone: 'ok' })
      onClose()
    },
  })
}

function KeyDialog(props: KeyDialogProps) {
  const { projectKey, onClose } = props
  const form = useKeyForm(props)
  const windows = WINDOWS.some((option) => option.value === form.values.window)
    ? WINDOWS
    : [...WINDOWS, { value: form.values.window, label: `every ${form.values.window} s` }]
  return (
    <FormDialog
      form={form}
      title={projectKey === null ? 'New key' : `Key ${projectKey.name}`}
      submitLabel={projectKey === null ? 'Create key' : 'Save'}
      onClose={onClose}
    >
      <Field label="Name" help="After what uses it: website, worker, tests." error={form.errors.name}>
        <Input value={form.values.name} onValueChange={(value) => form.set('name', value)} />
      </Field>
      <LimitField
        form={form}
        name="count"
        label="Rate limit"
        help="Events above it are refused, and SDKs told to wait. Receipts count them."
        inputMode="numeric"
        placeholder="no limit"
        unit="events"
      />
      <Field label="Counted" hideLabel>
        <Select
          aria-label="Window of the rate limit"
          value={form.values.window}
          options={windows}
          onValueChange={(value) => form.set('window', value)}
        />
      </Field>
      <LimitField
        form={form}
        name="bytes"
        label="Data per day"
        help="Beyond it, data is refused until the next day. At most an eighth may come in one hour. Sessions and client reports are still accepted for a while."
        inputMode="decimal"
        placeholder="default of this server"
        unit="GB"
      />
    </FormDialog>
  )
}

/** An amount that may be left out. */
function LimitField({
  form,
  name,
  label,
  help,
  inputMode,
  placeholder,
  unit,
}: {
  readonly form: ReturnType<typeof useKeyForm>
  readonly name: 'count' | 'bytes'
  readonly label: string
  readonly help: string
  readonly inputMode: 'numeric' | 'decimal'
  /** What holds without one. */
  readonly placeholder: string
  readonly unit: string
}) {
  return (
    <Field label={label} optional help={help} error={form.errors[name]}>
      <Input
        inputMode={inputMode}
        placeholder={placeholder}
        value={form.values[name]}
        onValueChange={(value) => form.set(name, value)}
        trailing={<span className={styles.unit}>{unit}</span>}
      />
    </Field>
  )
}
