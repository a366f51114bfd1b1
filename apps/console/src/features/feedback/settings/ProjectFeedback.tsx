import { type FeedbackSettings, getFeedbackSettings, updateFeedbackSettings } from '@firsthand/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, describeError } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { useForm } from '../../../lib/use-form.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import { ErrorState, Notice, toast } from '../../../ui/index.ts'
import {
  checkLines,
  FormOutline,
  fromLines,
  LinesField,
  NumberField,
  SettingsForm,
  SwitchesPanel,
  TextField,
  toLines,
} from '../../settings/index.ts'

type Settings = FeedbackSettings & { readonly canSendEmail: boolean }

const settingsKey = (org: string, project: string) => [...organizationKeys.project(org, project), 'feedback'] as const

const settingsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: settingsKey(org, project),
    queryFn: ({ signal }) => api.call(getFeedbackSettings, { params: { org, project }, signal }),
  })

const REPLY_SWITCHES = [
  { key: 'email', label: 'By e-mail', help: 'When the reporter gave an address and this server has a mail server.' },
  {
    key: 'page',
    label: 'By a private page',
    help: 'The widget shows its unguessable address once a report is sent; reporters can write back there.',
  },
  {
    key: 'notifyResolved',
    label: 'Notify when it is resolved',
    help: 'Reporters are notified when the issue linked to their report is resolved, with the release.',
  },
] as const

const SPAM_SWITCHES = [
  {
    key: 'enabled',
    label: 'Mark suspicious reports as spam',
    help: 'They go to Spam and can be restored from there; nothing is ever dropped.',
  },
] as const

/** How a project answers reporters, and what it takes for spam. */
export function ProjectFeedback({ org, project, mayWrite }: ProjectSettingsProps) {
  const { data, error, refetch } = useQuery(settingsQuery(org, project.slug))
  if (error !== null) {
    return (
      <ErrorState
        title="The feedback settings could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  return data === undefined ? (
    <FormOutline label="Loading the feedback settings" />
  ) : (
    <Forms org={org} project={project.slug} settings={data} mayWrite={mayWrite} />
  )
}

const NUMBERS = {
  threshold: {
    label: 'Points that make it spam',
    help: 'Each reason below gives a report points, up to 100.',
    unit: 'points',
    most: 100,
    least: 1,
  },
  minimumFillMs: {
    label: 'Shortest time to fill in the form',
    help: 'People need longer than programs. 0 switches this off.',
    unit: 'ms',
    most: 60_000,
    least: 0,
  },
  maximumLinks: { label: 'Links in a text', help: 'More than this is suspicious.', unit: 'links', most: 100, least: 0 },
  reportsPerAddress: {
    label: 'Reports from one sender',
    help: 'More than this in ten minutes is suspicious. People who share an address are told apart.',
    unit: 'reports',
    most: 10_000,
    least: 1,
  },
  reportsPerKey: {
    label: 'Reports with one key',
    help: 'More than this in ten minutes is suspicious.',
    unit: 'reports',
    most: 1_000_000,
    least: 1,
  },
} as const

type NumberName = keyof typeof NUMBERS

interface FormsProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly settings: Settings
  readonly mayWrite: boolean
}

function Forms(props: FormsProps) {
  const { settings } = props
  return (
    <>
      {settings.canSendEmail || !settings.reply.email ? null : (
        <Notice tone="info">
          This server cannot send e-mail yet: set <code>FIRSTHAND_SMTP_URL</code>. Until then reporters get replies on
          their private page.
        </Notice>
      )}
      <Replies {...props} />
      <Spam {...props} />
    </>
  )
}

interface Change {
  readonly spam?: Partial<FeedbackSettings['spam']>
  readonly reply?: Partial<FeedbackSettings['reply']>
}

/** `save` for forms, which show a failure themselves; `toggle` for switches, whose failure is told by a toast. */
function useSave(org: string, project: string) {
  const client = useQueryClient()
  const save = async (body: Change): Promise<void> => {
    const saved = await api.call(updateFeedbackSettings, { params: { org, project }, body })
    showSaved(client, settingsKey(org, project), saved)
  }
  const toggle = (body: Change): void => {
    save(body).catch((error: unknown) => {
      toast({ title: 'The change could not be saved', description: describeError(error).detail, tone: 'error' })
    })
  }
  return { save, toggle }
}

/** How reporters are answered, and in whose name. */
function Replies({ org, project, settings: { reply }, mayWrite }: FormsProps) {
  const { save, toggle } = useSave(org, project)
  const form = useForm({
    initial: { fromName: reply.fromName, replyTo: reply.replyTo },
    submit: async (values) => {
      await save({ reply: values })
      toast({ title: 'Reply settings saved', tone: 'ok' })
    },
  })
  return (
    <>
      <SwitchesPanel
        title="Replies to reporters"
        switches={REPLY_SWITCHES}
        values={reply}
        mayChange={() => mayWrite}
        onChange={(key, checked) => toggle({ reply: { [key]: checked } })}
      />
      <SettingsForm form={form} title="Sender" mayWrite={mayWrite}>
        <TextField
          form={form}
          name="fromName"
          label="Name"
          help="Shown to reporters; the project’s name when empty."
          mayWrite={mayWrite}
        />
        <TextField
          form={form}
          name="replyTo"
          label="Reply-To"
          help="Where replies by e-mail go. They do not reach the conversation here; the link in each mail does."
          mayWrite={mayWrite}
        />
      </SettingsForm>
    </>
  )
}

/** What makes a report spam. */
function Spam({ org, project, settings: { spam }, mayWrite }: FormsProps) {
  const { save, toggle } = useSave(org, project)
  const form = useForm({
    initial: {
      threshold: String(spam.threshold),
      minimumFillMs: String(spam.minimumFillMs),
      maximumLinks: String(spam.maximumLinks),
      reportsPerAddress: String(spam.reportsPerAddress),
      reportsPerKey: String(spam.reportsPerKey),
      blockedWords: toLines(spam.blockedWords),
    },
    validate: ({ blockedWords, ...numbers }) =>
      Object.fromEntries([
        ['blockedWords', checkLines(blockedWords)],
        ...Object.entries(numbers).map(([name, text]) => [name, checkNumber(name as NumberName, text)] as const),
      ]),
    submit: async ({ blockedWords, ...numbers }) => {
      const values = Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)]))
      await save({ spam: { ...values, blockedWords: fromLines(blockedWords) } })
      toast({ title: 'Spam rules saved; they apply to new reports', tone: 'ok' })
    },
  })
  return (
    <>
      <SwitchesPanel
        title="Spam"
        switches={SPAM_SWITCHES}
        values={spam}
        mayChange={() => mayWrite}
        onChange={(key, checked) => toggle({ spam: { [key]: checked } })}
      />
      <SettingsForm form={form} title="What is suspicious" mayWrite={mayWrite}>
        {(Object.keys(NUMBERS) as NumberName[]).map((name) => (
          <NumberField
            key={name}
            form={form}
            name={name}
            label={NUMBERS[name].label}
            help={NUMBERS[name].help}
            unit={NUMBERS[name].unit}
            mayWrite={mayWrite}
          />
        ))}
        <LinesField
          form={form}
          name="blockedWords"
          label="Blocked words"
          help="One per line. A report that contains one of them is suspicious."
          mayWrite={mayWrite}
        />
      </SettingsForm>
    </>
  )
}

function checkNumber(name: NumberName, text: string): string | undefined {
  const { least, most } = NUMBERS[name]
  const value = Number(text)
  const good = /^\d+$/.test(text.trim()) && value >= least && value <= most
  return good ? undefined : `A whole number from ${least} to ${most}.`
}
