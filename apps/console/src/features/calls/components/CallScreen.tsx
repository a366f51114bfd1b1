import { useQuery } from '@tanstack/react-query'
import { linkOptions, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { formatCount } from '../../../lib/format.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { NotFoundScreen } from '../../../shell/not-found-page.tsx'
import { CodeBlock, EmptyState, Loaded, PageBody, SearchIcon, SkeletonRows } from '../../../ui/index.ts'
import { DetailHeader } from '../../performance/frame/index.ts'
import type { Call } from '../model/answers.ts'
import { type CallSearch, compactCall, compactCalls, DEFAULT_SORT } from '../model/calls-url.ts'
import { type CallKind, findKind } from '../model/kinds.ts'
import { groupCondition } from '../model/questions.ts'
import { callFromUrl } from '../model/shown.ts'
import { callQuery } from '../queries.ts'
import { CallersPanel } from './CallersPanel.tsx'
import { OverTime } from './OverTime.tsx'
import { SamplesPanel } from './SamplesPanel.tsx'
import { Tiles } from './Tiles.tsx'
import styles from './CallScreen.module.css'

const FROM = '/signed-in/organizations/$org/performance/$kind/call'

/** All calls that did alike: over time, from where, and some of them. */
export function CallScreen() {
  const { kind: name } = useParams({ from: FROM })
  const { group } = useSearch({ from: FROM })
  const kind = findKind(name)
  return kind === undefined || group === '' ? <NotFoundScreen /> : <One kind={kind} />
}

const TITLE_CHARACTERS = 60

function One({ kind }: { readonly kind: CallKind }) {
  const { org } = useParams({ from: FROM })
  const search = callFromUrl(useSearch({ from: FROM }))
  const navigate = useNavigate()
  const query = useQuery(callQuery(org, kind, search))
  const { data, isPlaceholderData } = query
  const title = data === undefined || data === null ? kind.thing : data.text.slice(0, TITLE_CHARACTERS)
  usePageTitle(title)
  const change = (part: Partial<CallSearch>): void => {
    void navigate({
      to: '/organizations/$org/performance/$kind/call',
      params: { org, kind: kind.name },
      search: compactCall({ ...search, ...part }),
      replace: true,
    })
  }
  const { group: _, ...scope } = search
  return (
    <>
      <DetailHeader
        org={org}
        list={{
          label: kind.label,
          page: linkOptions({
            to: '/organizations/$org/performance/$kind',
            params: { org, kind: kind.name },
            search: compactCalls({ ...scope, query: '', sort: DEFAULT_SORT }),
          }),
        }}
        title={title}
        search={search}
        onScope={change}
        done={`Show the ${kind.thing.toLowerCase()}`}
      />
      <PageBody className={isPlaceholderData ? styles.outdated : undefined}>
        <Loaded
          query={query}
          failed={`The ${kind.thing.toLowerCase()} could not be loaded`}
          outline={<SkeletonRows rows={14} label="Loading" />}
        >
          {(call) =>
            call === null ? (
              <EmptyState icon={SearchIcon} title="Nothing of it in this time">
                Nothing that did the same was received in these projects, environments and this time.
              </EmptyState>
            ) : (
              <Facts org={org} kind={kind} search={search} call={call} onChange={change} />
            )
          }
        </Loaded>
      </PageBody>
    </>
  )
}

function Facts({
  org,
  kind,
  search,
  call,
  onChange,
}: {
  readonly org: string
  readonly kind: CallKind
  readonly search: CallSearch
  readonly call: Call
  readonly onChange: (change: Partial<CallSearch>) => void
}) {
  return (
    <>
      <CodeBlock
        wrap
        title={[`${formatCount(call.count)} times`, call.detail].filter((word) => word !== '').join(' · ')}
        code={call.text}
      />
      <Tiles kind={kind} values={call.values} />
      <OverTime
        org={org}
        kind={kind}
        scope={search}
        condition={groupCondition(search)}
        onRange={(range) => onChange(range)}
      />
      <CallersPanel org={org} kind={kind} search={search} />
      <SamplesPanel org={org} kind={kind} search={search} median={call.median} />
    </>
  )
}
