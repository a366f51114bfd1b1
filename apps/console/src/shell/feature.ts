import type { Project, ProjectSummary, Scope, Session } from '@firsthand/contract'
import type { QueryClient, QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { type AnyRoute, type UseNavigateResult, useRouter } from '@tanstack/react-router'
import type { Command, Icon } from '../ui/index.ts'
import type { LazyScreen } from './navigation/pages.ts'

/**
 * What the rest of the console knows of a feature. Each feature declares it once, in `features/<name>/manifest.ts`, and
 * stands in the list of `features.ts`; the shell and the router read that list and name no feature.
 */
export interface Feature<Routes extends AnyRoute = AnyRoute> {
  /** Its pages. Each route names its parent: one of `parent-routes.tsx`, or a route of any feature. */
  readonly routes: readonly Routes[]
  /** Entries of the side bar; each is a shortcut and a command of the palette as well. */
  readonly navigation?: readonly NavigationEntry[]
  /** A section of its own in the side bar, below the entries. Made of the parts in `side-bar.tsx`, loaded together with the frame. */
  readonly section?: LazyScreen
  /** Entries of the menu of the organisation (top of the side bar) and of the signed-in person (its foot). */
  readonly menus?: { readonly organization?: readonly MenuEntry[]; readonly person?: readonly MenuEntry[] }
  /** Commands of the palette beyond the navigation entries. */
  readonly commands?: (context: CommandContext) => readonly Command[]
  /** Commands that the palette offers for every project. */
  readonly projectCommands?: (project: ProjectSummary, context: CommandContext) => readonly Command[]
  /** Tabs in the settings of a project, after those that every project has. */
  readonly projectSettings?: readonly ProjectSettingsTab[]
  /** What the palette finds while one types; its code is loaded with the first question. */
  readonly finder?: { readonly things: string; readonly load: () => Promise<{ readonly find: Find }> }
  /** Which of its queries the server's live messages make old. */
  readonly live?: readonly LiveRefresh[]
  /** Where somebody has to go first who is not signed in. The first one of the list that applies is taken. */
  readonly entrance?: Entrance
}

/** A page that needs nothing but the organisation: no other parameter in its path, no search. */
export interface OrganizationPage {
  /** With `$org` in it. */
  readonly path: string
}

/** A query of one number; null when the server did not count. */
export type CountQuery = UseQueryOptions<number | null, Error, number | null, readonly string[]>

export interface NavigationEntry {
  readonly page: OrganizationPage
  readonly label: string
  readonly icon: Icon
  /** At the top of the side bar, below "Understand" or "Ship", or at its foot. */
  readonly place: 'top' | 'understand' | 'ship' | 'foot'
  /** Shortcut that goes there, "g i". */
  readonly shortcut: string
  /** How the palette names it, when not by the label; and further words that find it there. */
  readonly command?: { readonly label?: string; readonly icon?: Icon; readonly keywords?: readonly string[] }
  /** A number beside the label. Nothing stands there when it is 0 or null. */
  readonly count?: {
    readonly query: (org: string) => CountQuery
    /** What is counted, for those who hear it. */
    readonly of: string
    /** Counting stops there; the number is shown with a plus. */
    readonly upTo?: number
    /** Somebody has to do something about it: the number is drawn so that it is seen. */
    readonly asks?: true
  }
  /** Where `/` and a change of the organisation lead. */
  readonly isHome?: true
  /** Whether its data is fetched as soon as the side bar shows the entry. */
  readonly prefetch: boolean
}

export interface MenuEntry {
  readonly page: OrganizationPage
  readonly label: string
  readonly icon: Icon
  /** A quiet word beside the label. */
  readonly hint?: (session: Session) => string | undefined
}

export interface ProjectSettingsTab {
  /** Its word in the address, `?tab=`. */
  readonly value: string
  readonly label: string
  /** It is loaded together with the page, so it stands in a module of its own. */
  readonly screen: LazyScreen<ProjectSettingsProps>
}

/** What the content of such a tab is given. */
export interface ProjectSettingsProps {
  readonly org: string
  readonly project: Project
  /** Whether the signed-in person may change the settings. */
  readonly mayWrite: boolean
}

export interface CommandContext {
  readonly org: string
  readonly navigate: UseNavigateResult<string>
  /** What the signed-in person may do in the organisation. */
  readonly access: readonly Scope[]
}

export interface FindContext extends CommandContext {
  readonly client: QueryClient
  /** The text has changed, and nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** Commands that lead to what has the text in it. At most a handful for each kind of thing. */
export type Find = (text: string, context: FindContext) => Promise<readonly Command[]>

export interface LiveRefresh {
  /** Name of the server-sent event. */
  readonly message: string
  /** Keys of the queries that are asked again. `data`: the JSON of the messages that came since the last time. */
  readonly keys: (org: string, data: readonly unknown[]) => readonly QueryKey[]
  /** Under a storm of messages the queries are asked this often at most. Milliseconds. */
  readonly minIntervalMs?: number
}

export interface Entrance {
  readonly path: string
  readonly applies: (session: Session) => boolean
  /** Whether it leads on to where the person was going (`?next=`). */
  readonly leadsOn: boolean
}

/** A manifest, with the types of its routes kept: links and search parameters are checked against them. */
export function feature<const Routes extends AnyRoute>(manifest: Feature<Routes>): Feature<Routes> {
  return manifest
}

type ParamsOf<Route extends AnyRoute> = Route['types']['allParams']
type SearchOf<Route extends AnyRoute> = Route['types']['fullSearchSchemaInput']

/** A route as a page of the side bar and the menus. Only routes fit that need nothing but `$org`. */
export function pageOf<Route extends AnyRoute>(
  route: { readonly org: string } extends ParamsOf<Route> ? (object extends SearchOf<Route> ? Route : never) : never,
): OrganizationPage {
  // A route knows its path once the router has the whole tree.
  return {
    get path() {
      return (route as AnyRoute).fullPath as string
    },
  }
}

/** The features of this console, in the order of their list. */
export function useFeatures(): readonly Feature[] {
  return useRouter().options.context.features
}

/** Where `/` and a change of the organisation lead: the entry that says so. */
export function homeOf(features: readonly Feature[]): NavigationEntry {
  const home = features.flatMap(({ navigation = [] }) => navigation).find(({ isHome }) => isHome === true)
  if (home === undefined)
    throw new Error('No feature of features.ts has a home among its navigation entries, so "/" leads nowhere.')
  return home
}
