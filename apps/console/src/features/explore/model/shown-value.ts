import { levelWord } from '../../../lib/level-word.ts'
import { labelOf } from './lines.ts'

/** Names of projects, by their slugs and ids. */
type Projects = ReadonlyMap<string, string>

const PROJECT_KEYS: ReadonlySet<string> = new Set([
  'project',
  'project.name',
  'project.slug',
  'project.id',
  'project_id',
])

/** What a value of an attribute is called on screen; searches go on with the value itself. */
export function shownValue(key: string, value: unknown, projects: Projects): string {
  const text = labelOf([value])
  if (PROJECT_KEYS.has(key)) return projects.get(text) ?? text
  return key === 'level' || key === 'severity' ? levelWord(text) : text
}

/** How the line of a group is called. */
export function shownLabel(
  keys: readonly string[],
  { label, group, isOther }: { readonly label: string; readonly group: readonly unknown[]; readonly isOther: boolean },
  projects: Projects,
): string {
  if (isOther || group.length !== keys.length) return label
  return group.map((value, place) => shownValue(keys[place] ?? '', value, projects)).join(' · ')
}
