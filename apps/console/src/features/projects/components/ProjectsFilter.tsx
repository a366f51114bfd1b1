import { useQuery } from '@tanstack/react-query'
import { projectsQuery } from '../../../lib/shared-queries.ts'
import { FilterButton, filterText, MultiPicker } from '../../../ui/index.ts'

/** Which projects a list is about; none chosen is all. Addresses name them by id or slug. */
export function ProjectsFilter({
  org,
  values,
  onChange,
}: {
  readonly org: string
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}) {
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const names = values.map((id) => projects.find((one) => one.id === id || one.slug === id)?.name ?? id)
  return (
    <MultiPicker
      label="Projects"
      emptyText="No project has that name."
      options={projects.map((project) => ({ value: project.id, label: project.name, hint: project.slug }))}
      values={values}
      onValuesChange={onChange}
      trigger={<FilterButton name="Projects" text={filterText(names, 'All projects', 'projects')} />}
    />
  )
}
