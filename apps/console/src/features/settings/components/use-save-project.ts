import { updateProject, type Project, type projectSettingsChange } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, describeError } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { showAtOnce, showSaved } from '../../../lib/shown-data.ts'
import { toast } from '../../../ui/index.ts'
import { projectQuery } from '../../projects/index.ts'

export interface ProjectChange {
  readonly name?: string
  readonly slug?: string
  readonly platform?: string
  readonly settings?: z.input<typeof projectSettingsChange>
}

/** Saves a part of a project and puts the answer where every screen reads it. */
export function useSaveProject(org: string, slug: string): (change: ProjectChange) => Promise<Project> {
  const queryClient = useQueryClient()
  return async (body) => {
    const changed = await api.call(updateProject, { params: { org, project: slug }, body })
    showSaved(queryClient, projectQuery(org, changed.slug).queryKey, changed)
    void queryClient.invalidateQueries({ queryKey: organizationKeys.projects(org) })
    return changed
  }
}

/** For switches: shows the new state at once, saves behind, and goes back (saying so) when that fails. */
export function useToggleProject(
  org: string,
  project: Project,
): (settings: NonNullable<ProjectChange['settings']>, optimistic: Project['settings']) => void {
  const queryClient = useQueryClient()
  const save = useSaveProject(org, project.slug)
  const { queryKey } = projectQuery(org, project.slug)
  return (settings, optimistic) => {
    showAtOnce(queryClient, queryKey, { ...project, settings: optimistic })
    save({ settings }).catch((error: unknown) => {
      showSaved(queryClient, queryKey, project)
      toast({ title: 'The setting could not be saved', description: describeError(error).detail, tone: 'error' })
    })
  }
}
