import type { UptimeCheck, UptimeResult } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { formatExact } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'
import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  Button,
  EditIcon,
  IconButton,
  Link,
  Loaded,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  RelativeTime,
  ShowMore,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  toast,
  Tr,
  TrashIcon,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { Axis } from '../components/Axis.tsx'
import { isMissing, Missing } from '../components/Missing.tsx'
import { Timeline } from '../components/Timeline.tsx'
import page from '../components/MonitorScreen.module.css'
import { monitorsKey } from '../query-keys.ts'
import { uptimeBodyOf, uptimeValuesOf, validateUptime } from './draft.ts'
import {
  answersQuery,
  asRuns,
  bringCheckBack,
  changeCheck,
  removeCheck,
  uptimeLinesQuery,
  uptimeQuery,
} from './queries.ts'
import { UptimeForm } from './UptimeForm.tsx'
import styles from './UptimeScreen.module.css'
import { certificateWords, uptimeAlert, uptimeSubtitle } from './words.ts'

const FROM = '/signed-in/organizations/$org/monitors/uptime/$check'

/** One address: how it stands, and what it answered. */
export function UptimeScreen() {
  const { check, org } = useParams({ from: FROM })
  const found = useQuery(uptimeQuery(org, check))
  usePageTitle(found.data?.name ?? 'Uptime check')
  if (isMissing(found)) return <Missing org={org} title="Uptime check not found" />
  return (
    <Loaded
      query={found}
      outline={<SkeletonRows rows={12} label="Loading the uptime check" />}
      failed="The uptime check could not be loaded"
    >
      {(data) => <Shown key={data.id} org={org} check={data} />}
    </Loaded>
  )
}

function Shown({ check, org }: { readonly org: string; readonly check: UptimeCheck }) {
  const { edit } = useSearch({ from: FROM })
  const navigate = useNavigate()
  const access = useAccess(org)
  const open = (isOpen: boolean): void => {
    void navigate({
      to: '/organizations/$org/monitors/uptime/$check',
      params: { org, check: check.id },
      search: isOpen ? { edit: true } : {},
      replace: true,
    })
  }
  return (
    <>
      <PageHeader
        title={<VisibleText text={check.name} />}
        actions={
          access('event:write') && edit !== true ? (
            <Actions org={org} check={check} onEdit={() => open(true)} />
          ) : undefined
        }
      >
        <Link look="quiet" to="/organizations/$org/monitors" params={{ org }}>
          All monitors
        </Link>
      </PageHeader>
      <PageBody width={edit === true ? 'narrow' : 'wide'}>
        {edit === true ? (
          <Edit org={org} check={check} onDone={() => open(false)} />
        ) : (
          <Answers org={org} check={check} />
        )}
      </PageBody>
    </>
  )
}

function Actions({
  check,
  onEdit,
  org,
}: {
  readonly org: string
  readonly check: UptimeCheck
  readonly onEdit: () => void
}) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: monitorsKey(org) }))
  const mute = async (): Promise<void> => {
    const title = check.isMuted ? `${check.name} speaks again` : `${check.name} is muted`
    const next = { isMuted: !check.isMuted }
    if ((await changes.during('Muting', () => changeCheck(org, check.id, next))) === null) return
    toast({ title, action: changes.undo(title, () => changeCheck(org, check.id, { isMuted: check.isMuted })) })
  }
  const remove = async (): Promise<void> => {
    const gone = await changes.during('Deleting', async () => {
      await removeCheck(org, check.id)
      return true
    })
    if (gone === null) return
    toast({ title: `${check.name} is deleted`, action: changes.undo('deleted', () => bringCheckBack(org, check.id)) })
    void navigate({ to: '/organizations/$org/monitors', params: { org } })
  }
  return (
    <>
      <Button busy={changes.busy} onClick={() => void mute()}>
        {check.isMuted ? 'Unmute' : 'Mute'}
      </Button>
      <Button icon={EditIcon} onClick={onEdit}>
        Edit
      </Button>
      <IconButton icon={TrashIcon} label="Delete" onClick={() => void remove()} />
    </>
  )
}

function Edit({
  check,
  onDone,
  org,
}: {
  readonly org: string
  readonly check: UptimeCheck
  readonly onDone: () => void
}) {
  const client = useQueryClient()
  const form = useForm({
    initial: uptimeValuesOf(check),
    validate: validateUptime,
    submit: async (values) => {
      const { project: _project, ...body } = uptimeBodyOf(values)
      await changeCheck(org, check.id, body)
      void client.invalidateQueries({ queryKey: monitorsKey(org) })
      onDone()
    },
  })
  return <UptimeForm org={org} form={form} check={check} submit="Save" onCancel={onDone} />
}

function Answers({ check, org }: { readonly org: string; readonly check: UptimeCheck }) {
  const now = useNow(1000)
  const certificate = certificateWords(check, now)
  const { data: lines } = useQuery(uptimeLinesQuery(org, [check.id], '168'))
  const answers = useInfiniteQuery(answersQuery(org, check.id))
  const list = answers.data?.pages.flatMap(({ data }) => data)
  return (
    <div className={page.page}>
      <p className={page.facts}>
        <VisibleText text={check.url} /> · {uptimeSubtitle(check)}
        {check.typicalMs === null ? null : <> · usually {check.typicalMs} ms</>}
        {certificate === null ? null : <> · {certificate.text}</>} · {uptimeAlert(check)}
      </p>
      {check.lastFailure === null ? null : (
        <Notice tone={check.uptimeStatus === 'down' ? 'error' : 'warning'}>
          {check.uptimeStatus === 'down' && check.downSince !== null ? (
            <>
              Down for <RelativeTime form="age" time={check.downSince} />.{' '}
            </>
          ) : (
            'The last answer was not well. '
          )}
          {check.lastFailure}{' '}
          {check.uptimeStatus === 'down' ? (
            <Link
              to="/organizations/$org/issues"
              params={{ org }}
              search={{ query: `uptime_check:${check.id}`, project: [check.project.id] }}
            >
              Its issue
            </Link>
          ) : null}
        </Notice>
      )}
      <Panel title="Last 7 days" content="padded">
        <Timeline cells={lines === undefined ? null : asRuns(lines.lines[0]?.cells ?? [])} name={check.name} />
        <Axis hours="168" />
      </Panel>
      <Panel title="Answers" subtitle="newest first" content="rows">
        <Loaded
          query={{ ...answers, data: list }}
          compact
          outline={<SkeletonRows rows={8} label="Loading the answers" />}
          failed="The answers could not be loaded"
        >
          {(all) =>
            all.length === 0 ? <p className={page.none}>It was not asked yet.</p> : <AnswerTable answers={all} />
          }
        </Loaded>
        <ShowMore query={answers} />
      </Panel>
    </div>
  )
}

interface AnswerNumber {
  readonly name: string
  readonly unit: string
  readonly of: (answer: UptimeResult) => number | null
}

const NUMBERS: readonly AnswerNumber[] = [
  { name: 'Status', unit: '', of: ({ httpStatus }) => httpStatus },
  { name: 'DNS', unit: 'ms', of: ({ dnsMs }) => dnsMs },
  { name: 'Connection', unit: 'ms', of: ({ connectMs }) => connectMs },
  { name: 'TLS', unit: 'ms', of: ({ tlsMs }) => tlsMs },
  { name: 'First byte', unit: 'ms', of: ({ firstByteMs }) => firstByteMs },
  { name: 'All', unit: 'ms', of: ({ totalMs }) => totalMs },
]

function AnswerTable({ answers }: { readonly answers: readonly UptimeResult[] }) {
  return (
    <Table caption="What it answered" stacksBelow={700}>
      <Thead>
        <Th>Time</Th>
        <Th>Answer</Th>
        {NUMBERS.map(({ name, unit }) => (
          <Th key={name} numeric>
            {unit === '' ? name : `${name}, ${unit}`}
          </Th>
        ))}
      </Thead>
      <Tbody>
        {answers.map((answer) => (
          <Tr key={answer.id}>
            <Td>
              <time dateTime={answer.at} title={formatExact(Date.parse(answer.at))}>
                {formatMoment('second', Date.parse(answer.at))}
              </time>
            </Td>
            <Td quiet={answer.result === 'up'}>
              {answer.reason === null ? (
                'as it should be'
              ) : (
                <>
                  {answer.result === 'unknown' ? 'unknown: ' : ''}
                  {answer.reason}
                </>
              )}
            </Td>
            {NUMBERS.map(({ name, of, unit }) => (
              <Td key={name} numeric quiet className={styles.number} data-name={name} data-unit={unit}>
                {of(answer) ?? '–'}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}
