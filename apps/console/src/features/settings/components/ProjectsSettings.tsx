import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectsQuery, useAccess } from '../../../lib/shared-queries.ts'
import {
  Badge,
  ButtonLink,
  ChevronRightIcon,
  EmptyState,
  Link,
  Panel,
  PlusIcon,
  ProjectIcon,
  RelativeTime,
} from '../../../ui/index.ts'
import { platformOf } from '../../projects/index.ts'
import { SettingsPage } from './SettingsPage.tsx'
import styles from './settings.module.css'

/** Every project of the organisation, to its settings. */
export function ProjectsSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/projects' })
  const projects = useQuery(projectsQuery(org))
  const mayCreate = useAccess(org)('project:write')
  const create = mayCreate ? (
    <ButtonLink variant="primary" icon={PlusIcon} to="/organizations/$org/projects/new" params={{ org }}>
      New project
    </ButtonLink>
  ) : undefined
  return (
    <SettingsPage title="Projects" what="The projects" query={projects} actions={create}>
      {(data) =>
        data.length === 0 ? (
          <EmptyState icon={ProjectIcon} title="No projects yet">
            A project is one application that reports. Its DSN tells the SDK where to send.
          </EmptyState>
        ) : (
          <Panel content="rows">
            <ul className={styles.rows}>
              {data.map((project) => (
                <li key={project.id} className={styles.row}>
                  <div className={styles.main}>
                    <Link
                      look="quiet"
                      className={styles.name}
                      to="/organizations/$org/settings/projects/$project"
                      params={{ org, project: project.slug }}
                    >
                      {project.name}
                    </Link>
                    <p className={styles.sub}>
                      {platformOf(project.platform).name} · {project.slug} · created{' '}
                      <RelativeTime time={project.dateCreated} />
                    </p>
                  </div>
                  {project.firstEvent === null ? (
                    <Link
                      look="quiet"
                      to="/organizations/$org/projects/$project/getting-started"
                      params={{ org, project: project.slug }}
                    >
                      <Badge tone="warning">Waiting for the first event</Badge>
                    </Link>
                  ) : null}
                  <ChevronRightIcon className={styles.muted} />
                </li>
              ))}
            </ul>
          </Panel>
        )
      }
    </SettingsPage>
  )
}
