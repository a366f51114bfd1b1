import { useQuery } from '@tanstack/react-query'
import { useMatchRoute, useNavigate } from '@tanstack/react-router'
import { useRef, type RefObject } from 'react'
import { useSession } from '../lib/shared-queries.ts'
import { PHONE, useMedia } from '../lib/use-media.ts'
import {
  Kbd,
  keyLabel,
  Link,
  Menu,
  MenuItem,
  MoreIcon,
  SearchIcon,
  setCommandPalette,
  VisuallyHidden,
} from '../ui/index.ts'
import { type NavigationEntry, useFeatures } from './feature.ts'
import { OrganizationMenu } from './organization-menu.tsx'
import { SideBarCount, SideBarLabel, sideBarLink } from './side-bar.tsx'
import { UserMenu } from './user-menu.tsx'
import styles from './navigation.module.css'

/** Pages with a place of their own in the bar of a phone; the others are under "More". */
const PHONE_ENTRIES = 3

const PLACES: readonly NavigationEntry['place'][] = ['top', 'understand', 'ship', 'foot']

/** Groups of entries that have a name. */
const NAMED = [
  { place: 'understand', label: 'Understand' },
  { place: 'ship', label: 'Ship' },
] as const

/** The side bar; folded to icons below 1100 px, a bottom bar on a phone. */
export function Navigation({ org }: { readonly org: string }) {
  const session = useSession()
  const features = useFeatures()
  const menus = useRef<HTMLDivElement>(null)
  const isPhone = useMedia(PHONE)
  const all = features.flatMap(({ navigation = [] }) => navigation)
  const inOrder = PLACES.flatMap((place) => all.filter((one) => one.place === place))
  const entries = isPhone ? inOrder.slice(0, PHONE_ENTRIES) : inOrder
  const draw = (entry: NavigationEntry) =>
    entry.count === undefined ? (
      <Entry key={entry.page.path} org={org} entry={entry} />
    ) : (
      <CountedEntry key={entry.page.path} org={org} entry={entry} count={entry.count} />
    )
  return (
    <nav className={styles.bar} aria-label="Main">
      <div className={styles.head}>
        <OrganizationMenu org={org} session={session} container={menus} />
        <button type="button" className={styles.find} title="Find anything" onClick={() => setCommandPalette(true)}>
          <SearchIcon className={styles.findIcon} />
          <VisuallyHidden>Find anything ({keyLabel('mod+k')})</VisuallyHidden>
          <span className={styles.findKeys}>
            <Kbd keys="mod+k" />
          </span>
        </button>
      </div>
      <div className={styles.entries}>
        <ul className={styles.group}>{entries.filter(({ place }) => place === 'top').map(draw)}</ul>
        {NAMED.map(({ place, label }) => {
          const named = entries.filter((entry) => entry.place === place)
          return named.length === 0 ? null : (
            <div key={place} className={styles.named}>
              <div className={styles.label} aria-hidden="true">
                {label}
              </div>
              <ul className={styles.group} aria-label={label}>
                {named.map(draw)}
              </ul>
            </div>
          )
        })}
      </div>
      {features.map(({ section }) => (section === undefined ? null : <section.component key={section.name} />))}
      <ul className={styles.foot}>
        {isPhone ? <MoreEntries org={org} entries={inOrder.slice(PHONE_ENTRIES)} container={menus} /> : null}
        {entries.filter(({ place }) => place === 'foot').map(draw)}
        <li className={styles.user}>
          <UserMenu org={org} session={session} container={menus} />
        </li>
      </ul>
      <div ref={menus} className={styles.menus} />
    </nav>
  )
}

function Entry({
  org,
  entry: { page, label, icon, prefetch, count },
  number = null,
}: {
  readonly org: string
  readonly entry: NavigationEntry
  /** Stands beside the label; nothing does when it is 0 or not known. */
  readonly number?: number | null
}) {
  return (
    <li title={label}>
      <Link
        look="plain"
        className={sideBarLink}
        to={page.path}
        params={{ org }}
        search={{}}
        activeOptions={{ includeSearch: false }}
        {...(prefetch && { preload: 'viewport' as const })}
      >
        <SideBarLabel icon={icon}>{label}</SideBarLabel>
        <SideBarCount count={number} of={count?.of} upTo={count?.upTo} asks={count?.asks === true} />
      </Link>
    </li>
  )
}

/** On a phone: what has no place of its own in the bar. */
function MoreEntries({
  org,
  entries,
  container,
}: {
  readonly org: string
  readonly entries: readonly NavigationEntry[]
  readonly container: RefObject<HTMLElement | null>
}) {
  const navigate = useNavigate()
  const matches = useMatchRoute()
  const isHere = entries.some(({ page }) => matches({ to: page.path, params: { org }, fuzzy: true }) !== false)
  return (
    <li>
      <Menu
        side="top"
        align="end"
        container={container}
        trigger={
          <button type="button" className={styles.entry} aria-current={isHere ? 'page' : undefined}>
            <SideBarLabel icon={MoreIcon}>More</SideBarLabel>
          </button>
        }
      >
        {entries.map(({ page, label, icon }) => (
          <MenuItem key={page.path} icon={icon} onSelect={() => void navigate({ to: page.path, params: { org } })}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </li>
  )
}

function CountedEntry({
  org,
  entry,
  count,
}: {
  readonly org: string
  readonly entry: NavigationEntry
  readonly count: NonNullable<NavigationEntry['count']>
}) {
  const { data = null } = useQuery(count.query(org))
  return <Entry org={org} entry={entry} number={data} />
}
