import { ButtonLink } from '../../../ui/index.ts'
import { useProjectToSetUp } from './project-to-set-up.ts'

/** From a list in which nothing was found to where one reads how the project's SDK sends something; nothing while that is loaded. */
export function SetUpProject({ org, shown }: { readonly org: string; readonly shown: readonly string[] }) {
  const project = useProjectToSetUp(org, shown)
  if (project === undefined) return null
  if (project === null) {
    return (
      <ButtonLink variant="primary" to="/organizations/$org/projects/new" params={{ org }}>
        Create a project
      </ButtonLink>
    )
  }
  return (
    <ButtonLink to="/organizations/$org/projects/$project/getting-started" params={{ org, project: project.slug }}>
      Set up {project.name}
    </ButtonLink>
  )
}
