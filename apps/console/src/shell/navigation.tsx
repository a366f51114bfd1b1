import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { projectsQuery, unreadCountQuery, unresolvedCountQuery, useSession } from '../lib/shared-queries.ts'
import {
  FeedbackIcon,
  IssuesIcon,
  Kbd,
  keyLabel,
  Link,
  Num,
  PlusIcon,
  ProjectIcon,
  ReceiptIcon,
  SearchIcon,
  setCommandPalette,
  SettingsIcon,
  VisuallyHidden,
  type Icon,
} from '../ui/index.ts'
import { OrganizationMenu } from './organization-menu.tsx'
import { UserMenu } from './user-menu.tsx'
import styles from './navigation.module.css'

/** Projects named in the side bar; the rest is found with ⌘K and in the settings. */
const MAX_PROJECTS = 12

/** The side bar; folded to icons below 1100 px, a bottom bar on a phone. */
export function Navigation({ org }: { readonly org: string }) {
  const session = useSession()
  const organization = session.organizations.find((membership) => membership.slug === org)
  const { data: unresolved } = useQuery(unresolvedCountQuery(org))
  const { data: unread } = useQuery(unreadCountQuery(org))
  const menus = useRef<HTMLDivElement>(null)
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const mayCreate = organization?.access.includes('project:write') === true
  return (
    <nav className={styles.bar} aria-label="Main">
      <div className={styles.head}>
        <OrganizationMenu org={org} session={session} container={menus} />
        <button
          type="button"
          className={styles.find}
          title="Find a screen, a project or a command"
          onClick={() => setCommandPalette(true)}
        >
          <SearchIcon className={styles.findIcon} />
          <VisuallyHidden>Find a screen, a project or a command ({keyLabel('mod+k')})</VisuallyHidden>
          <span className={styles.findKeys}>
            <Kbd keys="mod+k" />
          </span>
        </button>
      </div>
      <ul className={styles.group}>
        <Entry icon={IssuesIcon} label="Issues" count={unresolved} counted="unresolved">
          {(content) => (
            <Link
              look="plain"
              className={styles.entry}
              to="/organizations/$org/issues"
              params={{ org }}
              search={{}}
              activeOptions={{ includeSearch: false }}
              preload="viewport"
            >
              {content}
            </Link>
          )}
        </Entry>
        <Entry icon={FeedbackIcon} label="Feedback" count={unread} counted="unread">
          {(content) => (
            <Link
              look="plain"
              className={styles.entry}
              to="/organizations/$org/feedback"
              params={{ org }}
              search={{}}
              activeOptions={{ includeSearch: false }}
              preload="viewport"
            >
              {content}
            </Link>
          )}
        </Entry>
      </ul>
      {projects.length === 0 && !mayCreate ? null : (
        <section className={styles.projects} aria-label="Projects">
          <div className={styles.label}>
            Projects
            {mayCreate ? (
              <Link
                look="plain"
                className={styles.add}
                to="/organizations/$org/projects/new"
                params={{ org }}
                aria-label="New project"
                title="New project"
              >
                <PlusIcon size={14} />
              </Link>
            ) : null}
          </div>
          <ul className={styles.group}>
            {projects.slice(0, MAX_PROJECTS).map((project) => (
              <li key={project.id}>
                <Link
                  look="plain"
                  className={styles.entry}
                  to="/organizations/$org/issues"
                  params={{ org }}
                  search={{ project: [project.id] }}
                  activeOptions={{ exact: true, includeSearch: true }}
                  title={project.name}
                >
                  <ProjectIcon className={styles.icon} />
                  <span className={styles.text}>{project.name}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul className={styles.foot}>
        <Entry icon={ReceiptIcon} label="Receipts">
          {(content) => (
            <Link
              look="plain"
              className={styles.entry}
              to="/organizations/$org/receipts"
              params={{ org }}
              search={{}}
              activeOptions={{ includeSearch: false }}
              preload="viewport"
            >
              {content}
            </Link>
          )}
        </Entry>
        <Entry icon={SettingsIcon} label="Settings">
          {(content) => (
            <Link
              look="plain"
              className={styles.entry}
              to="/organizations/$org/settings"
              params={{ org }}
              activeOptions={{ includeSearch: false }}
            >
              {content}
            </Link>
          )}
        </Entry>
        <li className={styles.user}>
          <UserMenu org={org} session={session} container={menus} />
        </li>
      </ul>
      <div ref={menus} className={styles.menus} />
    </nav>
  )
}

function Entry({
  icon: Drawn,
  label,
  count,
  counted,
  children,
}: {
  readonly icon: Icon
  readonly label: string
  /** Stands beside the label; nothing does when it is 0 or not known. */
  readonly count?: number | null | undefined
  /** What the number is of, for those who hear it. */
  readonly counted?: string
  readonly children: (content: React.ReactNode) => React.ReactNode
}) {
  return (
    <li title={label}>
      {children(
        <>
          <Drawn className={styles.icon} />
          <span className={styles.text}>{label}</span>
          {count === undefined || count === null || count === 0 ? null : (
            <span className={styles.count}>
              <Num value={count} compact />
              <VisuallyHidden> {counted}</VisuallyHidden>
            </span>
          )}
        </>,
      )}
    </li>
  )
}
