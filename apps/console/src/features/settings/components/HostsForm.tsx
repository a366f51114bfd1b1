import type { ReactNode } from 'react'
import { useForm } from '../../../lib/use-form.ts'
import { Switch, toast } from '../../../ui/index.ts'
import { fromLines, toLines } from '../model/lines.ts'
import { LinesField, SettingsForm } from './SettingsForm.tsx'

interface FetchedHosts {
  readonly enabled: boolean
  readonly hosts: readonly string[]
}

/** Whether this server fetches something from the sites of a project, and from which hosts. */
export function HostsForm({
  title,
  label,
  help,
  example,
  most,
  of,
  saved,
  mayWrite,
  save,
  children,
}: {
  readonly title: string
  /** Of the switch. */
  readonly label: string
  readonly help: string
  /** A host, as somebody would write it. */
  readonly example: string
  /** Hosts at most. */
  readonly most: number
  /** Of what that comes from now on it holds: "errors". */
  readonly of: string
  readonly saved: FetchedHosts
  readonly mayWrite: boolean
  readonly save: (wanted: { enabled: boolean; hosts: string[] }) => Promise<void>
  /** Below the fields. */
  readonly children?: ReactNode
}) {
  const form = useForm({
    initial: { enabled: saved.enabled, hosts: toLines(saved.hosts) },
    validate: ({ enabled, hosts }) => {
      const lines = fromLines(hosts)
      if (enabled && lines.length === 0) return { hosts: 'Name at least one host: nothing is fetched from any other.' }
      return lines.length > most ? { hosts: `At most ${most} hosts.` } : {}
    },
    submit: async ({ enabled, hosts }) => {
      await save({ enabled, hosts: fromLines(hosts) })
      toast({ title: enabled ? `Saved; it holds for ${of} that come from now on` : 'Saved', tone: 'ok' })
    },
  })
  return (
    <SettingsForm form={form} title={title} mayWrite={mayWrite}>
      <Switch
        label={label}
        help={help}
        disabled={!mayWrite}
        checked={form.values.enabled}
        onCheckedChange={(checked) => form.set('enabled', checked)}
      />
      <LinesField
        form={form}
        name="hosts"
        label="Hosts to fetch from"
        help={`One per line: ${example}, or *.shop.example for all below it; with a port if it is not the usual one. From any other nothing is fetched, and from private addresses only where the operator of this server allows it.`}
        mayWrite={mayWrite}
        rows={4}
      />
      {children}
    </SettingsForm>
  )
}
