import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { projectsQuery } from '../../../lib/shared-queries.ts'
import { Button, ChevronDownIcon, Dialog, FilterIcon, MultiPicker, Select } from '../../../ui/index.ts'
import { SORTS } from '../model/stream-choices.ts'
import type { StreamSearch } from '../model/stream-search.ts'
import { environmentsQuery } from '../queries.ts'
import { PeriodSelect } from './PeriodSelect.tsx'
import styles from './StreamFilters.module.css'

interface FiltersProps {
  readonly org: string
  readonly search: StreamSearch
  readonly onChange: (change: Partial<StreamSearch>) => void
}

/** Which projects, which environments, how far back. */
export function ScopeFilters({ org, search, onChange }: FiltersProps) {
  const { data: projects = [] } = useQuery(projectsQuery(org))
  const { data: environments = [] } = useQuery(environmentsQuery(org, search.project))
  const names = search.project.map(
    (id) => projects.find((project) => project.id === id || project.slug === id)?.name ?? id,
  )
  return (
    <>
      <MultiPicker
        label="Projects"
        emptyText="No project has that name."
        options={projects.map((project) => ({ value: project.id, label: project.name, hint: project.slug }))}
        values={search.project}
        onValuesChange={(project) => onChange({ project })}
        trigger={<FilterButton name="Projects" text={summary(names, 'All projects', 'projects')} />}
      />
      <MultiPicker
        label="Environments"
        emptyText="No environment has that name."
        options={environments.map((environment) => ({ value: environment.name, label: environment.name }))}
        values={search.environment}
        onValuesChange={(environment) => onChange({ environment })}
        trigger={
          <FilterButton name="Environments" text={summary(search.environment, 'All environments', 'environments')} />
        }
      />
      <PeriodSelect search={search} onChange={onChange} />
    </>
  )
}

export function SortSelect({ search, onChange }: Omit<FiltersProps, 'org'>) {
  return (
    <Select
      look="bar"
      aria-label="Sort by"
      value={search.sort}
      options={SORTS}
      onValueChange={(sort) => onChange({ sort })}
    />
  )
}

/** On a phone the filters wait in a sheet. */
export function FilterSheet({ org, search, onChange }: FiltersProps) {
  const [open, setOpen] = useState(false)
  const active = Number(search.project.length > 0) + Number(search.environment.length > 0)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Filters"
      size="small"
      trigger={
        <Button icon={FilterIcon} className={styles.sheetButton}>
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
      }
      footer={
        <Button variant="primary" onClick={() => setOpen(false)}>
          Show issues
        </Button>
      }
    >
      <div className={styles.sheet}>
        <ScopeFilters org={org} search={search} onChange={onChange} />
        <SortSelect search={search} onChange={onChange} />
      </div>
    </Dialog>
  )
}

function FilterButton({
  name,
  text,
  className,
  ...rest
}: {
  readonly name: string
  readonly text: string
  readonly className?: string
}) {
  return (
    <Button {...rest} aria-label={`${name}: ${text}`} className={className}>
      <span className={styles.words}>{text}</span>
      <ChevronDownIcon size={14} className={styles.chevron} />
    </Button>
  )
}

function summary(names: readonly string[], none: string, many: string): string {
  const first = names[0]
  if (first === undefined) return none
  return names.length === 1 ? first : `${names.length} ${many}`
}
