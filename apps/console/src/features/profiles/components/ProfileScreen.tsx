import { ApiError, type Profile } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import {
  ButtonLink,
  EmptyState,
  ErrorState,
  PageHeader,
  SearchIcon,
  SegmentedControl,
  Select,
  SkeletonRows,
  Switch,
  useShortcut,
} from '../../../ui/index.ts'
import type { Order } from '../model/call-tree.ts'
import { type ProfileUrl, readProfileUrl } from '../model/profile-search.ts'
import { profileQuery } from '../queries.ts'
import { FlameScreen } from './FlameScreen.tsx'
import { ProfileHeader } from './ProfileHeader.tsx'

const FROM = '/signed-in/organizations/$org/profiles/$profile'

/** One profile, or a stretch of a continuous one. */
export function ProfileScreen() {
  const { org, profile: id } = useParams({ from: FROM })
  const search = readProfileUrl({ ...useSearch({ from: FROM }) })
  const { data, error, refetch } = useQuery(profileQuery(org, id, search))
  if (data !== undefined) return <Loaded key={`${id} ${data.thread}`} org={org} profile={data} search={search} />
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <>
      <PageHeader title={`Profile ${id.slice(0, 8)}`} />
      {isMissing ? (
        <NotThere org={org} id={id} />
      ) : error === null ? (
        <SkeletonRows rows={20} label="Loading the profile" />
      ) : (
        <ErrorState title="The profile could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function NotThere({ org, id }: { readonly org: string; readonly id: string }) {
  usePageTitle('Profile')
  return (
    <EmptyState
      icon={SearchIcon}
      title="Nothing is known of this profile"
      action={
        <ButtonLink to="/organizations/$org/profiles" params={{ org }}>
          To all profiles
        </ButtonLink>
      }
    >
      <p>
        No profile and no profiler with the id <code>{id.slice(0, 64)}</code> is stored. It may not have arrived yet, or
        be older than what is kept.
      </p>
    </EmptyState>
  )
}

function Loaded({
  org,
  profile,
  search,
}: {
  readonly org: string
  readonly profile: Profile
  readonly search: ProfileUrl
}) {
  const navigate = useNavigate()
  const projects = useProjectNames(org)
  // One that names no transaction is called by where it comes from.
  const title = profile.transaction || `Continuous profile of ${projects.get(profile.projectId) ?? profile.projectSlug}`
  usePageTitle(title)
  // The span from which one came says more than the profile does.
  const trace = search.trace ?? profile.traceId
  const span = search.trace === undefined ? profile.spanId : (search.span ?? '')
  const toTrace = { org, trace }
  const spanSearch = span === '' ? {} : { span }
  useShortcut(
    't',
    () => {
      if (trace !== '') void navigate({ to: '/organizations/$org/traces/$trace', params: toTrace, search: spanSearch })
    },
    { label: 'Open the trace', group: 'Profile' },
  )
  const change = (part: ProfileUrl): void => {
    void navigate({
      to: '/organizations/$org/profiles/$profile',
      params: { org, profile: profile.id },
      search: readProfileUrl({ ...search, ...part }),
      replace: true,
    })
  }
  const order: Order = search.order ?? 'time'
  return (
    <FlameScreen
      profile={profile}
      order={order}
      showsWaiting={search.waiting === true}
      header={
        <ProfileHeader org={org} profile={profile} title={title}>
          {profile.transaction === '' ? null : (
            <ButtonLink
              to="/organizations/$org/profiles/sum"
              params={{ org }}
              search={{ transaction: profile.transaction, project: [profile.projectId] }}
            >
              Sum of all
            </ButtonLink>
          )}
          {trace === '' ? null : (
            <ButtonLink kbd="t" to="/organizations/$org/traces/$trace" params={toTrace} search={spanSearch}>
              Open trace
            </ButtonLink>
          )}
        </ProfileHeader>
      }
      choices={
        <>
          <SegmentedControl
            aria-label="Order of the frames"
            value={order}
            onValueChange={(next) => change({ order: next === 'heavy' ? 'heavy' : undefined } as ProfileUrl)}
            options={[
              { value: 'time', label: 'Time order' },
              { value: 'heavy', label: 'Left heavy' },
            ]}
          />
          <Threads profile={profile} onChoose={(thread) => change({ thread })} />
          {order === 'time' && profile.samples.stack.includes(-1) ? (
            <Switch
              label={`Waiting, ${formatSpent(waitedOf(profile))}`}
              checked={search.waiting === true}
              onCheckedChange={(waiting) => change({ waiting })}
            />
          ) : null}
        </>
      }
    />
  )
}

const waitedOf = ({ samples }: Profile): number =>
  samples.weight.reduce((sum, weight, index) => (samples.stack[index] === -1 ? sum + weight : sum), 0) / 1000

function Threads({ profile, onChoose }: { readonly profile: Profile; readonly onChoose: (thread: string) => void }) {
  if (profile.threads.length < 2) return null
  return (
    <Select
      look="bar"
      aria-label="Thread"
      value={profile.thread}
      onValueChange={onChoose}
      options={profile.threads.map(({ id, name, samples }) => ({
        value: id,
        label: `${name === '' ? `thread ${id}` : name}, ${formatCount(samples)} samples`,
      }))}
    />
  )
}
