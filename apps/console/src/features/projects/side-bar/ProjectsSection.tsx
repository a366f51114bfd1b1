import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectsQuery, useAccess } from '../../../lib/shared-queries.ts'
import { sideBarAction, SideBarLabel, sideBarLink, SideBarSection } from '../../../shell/side-bar.tsx'
import { Link, PlusIcon, ProjectIcon } from '../../../ui/index.ts'

/** Projects named in the side bar; the rest is found with ⌘K and in the settings. */
const MAX_PROJECTS = 12

/** The projects in the side bar; each leads to its issues. */
export function ProjectsSection() {
  const { org } = useParams({ from: '/signed-in/organizations/$org' })
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const mayCreate = useAccess(org)('project:write')
  if (projects.length === 0 && !mayCreate) return null
  return (
    <SideBarSection
      label="Projects"
      action={
        mayCreate ? (
          <Link
            look="plain"
            className={sideBarAction}
            to="/organizations/$org/projects/new"
            params={{ org }}
            aria-label="New project"
            title="New project"
          >
            <PlusIcon size={14} />
          </Link>
        ) : null
      }
    >
      {projects.slice(0, MAX_PROJECTS).map((project) => (
        <li key={project.id}>
          <Link
            look="plain"
            className={sideBarLink}
            to="/organizations/$org/issues"
            params={{ org }}
            search={{ project: [project.id] }}
            activeOptions={{ exact: true, includeSearch: true }}
            title={project.name}
          >
            <SideBarLabel icon={ProjectIcon}>{project.name}</SideBarLabel>
          </Link>
        </li>
      ))}
    </SideBarSection>
  )
}
