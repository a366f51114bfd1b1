import {
  listAllProjects,
  listProjectFilters,
  listProjectMembers,
  listProjectTeams,
  listTeamProjects,
} from '@firsthand/contract'
import { bind, notFound, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS } from './limits.ts'
import type { Accounts } from './index.ts'
import { memberJson, projectSummaryJson, teamJson } from './json.ts'
import type { Member } from './model.ts'
import { readProjectSettings } from './settings-json.ts'
import { visibleOrganizations } from './visible-organizations.ts'

/** Addresses of Sentry's API that scripts and dashboards know, and that say what other routes of this slice say. */
export const createCompatibleAccountRoutes = ({ store }: Accounts, clock: Clock): Route[] => {
  const existing = async (organizationId: number, reference: string) => {
    const project = await store.project(organizationId, reference)
    if (project === null) throw notFound()
    return project
  }

  return [
    bind(listProjectTeams, async ({ params, request }) => {
      const { id, memberId } = request.organization
      const project = await existing(id, params.project)
      const teams = await Promise.all(project.teams.map((team) => store.team(id, String(team.id))))
      return { body: teams.flatMap((team) => (team === null ? [] : [teamJson(team, memberId)])) }
    }),

    bind(listProjectFilters, async ({ params, request }) => {
      const project = await existing(request.organization.id, params.project)
      const { filters } = readProjectSettings(project.settings)
      return {
        body: [
          { id: 'browser-extensions', active: filters.browserExtensions },
          { id: 'legacy-browsers', active: filters.legacyBrowsers },
          { id: 'localhost', active: filters.localhost },
          { id: 'web-crawlers', active: filters.webCrawlers },
        ],
      }
    }),

    bind(listProjectMembers, async ({ params, request }) => {
      const project = await existing(request.organization.id, params.project)
      const all = { offset: 0, limit: LIMITS.MEMBERS_PER_ORGANIZATION }
      const members = new Map<number, Member>()
      for (const team of project.teams) {
        for (const member of await store.teamMembers(team.id, all)) members.set(member.id, member)
      }
      return {
        body: [...members.values()]
          .filter((member) => member.user !== null)
          .toSorted((a, b) => a.id - b.id)
          .map((member) => memberJson(member, clock.now())),
      }
    }),

    bind(listTeamProjects, async ({ params, query, request }) => {
      const { id } = request.organization
      const team = await store.team(id, params.team)
      if (team === null) throw notFound()
      const asked = readPage(query)
      const { rows, page } = toPage(team.projects.slice(asked.offset, asked.offset + asked.limit + 1), asked)
      const projects = await Promise.all(rows.map((project) => store.project(id, String(project.id))))
      return { body: projects.flatMap((project) => (project === null ? [] : [projectSummaryJson(project)])), page }
    }),

    bind(listAllProjects, async ({ query, request }) => {
      const asked = readPage(query)
      const end = asked.offset + asked.limit + 1
      const found = []
      for (const { id, slug, name } of await visibleOrganizations(store, request.caller)) {
        // A token may be for reading events alone.
        if (request.caller?.tokenScopes?.includes('project:read') === false) break
        const projects = await store.projects(id, '', { offset: 0, limit: end - found.length })
        const organization = { id: String(id), slug, name }
        found.push(...projects.map((project) => ({ ...projectSummaryJson(project), organization })))
        if (found.length >= end) break
      }
      const { rows, page } = toPage(found.slice(asked.offset, end), asked)
      return { body: rows, page }
    }),
  ]
}
