import { z } from './zod.ts'
import { date, empty, id } from './common.ts'
import { endpoint } from './endpoint.ts'
import { actor } from './issues.ts'

/** Whose what is in a project: rules, a CODEOWNERS file, and what follows from them. */

export const AUTO_ASSIGNMENTS = ['Auto Assign to Issue Owner', 'Turn off Auto-Assignment'] as const

/** `frames`: the frame nearest to the crash that somebody owns decides; `sentry`: the last line that matches any frame. */
export const OWNERSHIP_WALKS = ['frames', 'sentry'] as const

export const lineProblem = z.object({
  source: z.enum(['codeowners', 'rules']),
  /** Number of the line, from 1. */
  line: z.number(),
  text: z.string(),
  reason: z.string(),
})
export type LineProblem = z.output<typeof lineProblem>

const schemaOwner = z.object({
  type: z.enum(['user', 'team']),
  id: id.optional(),
  name: z.string(),
  identifier: z.string(),
})

export const ownership = z.object({
  /** Null where nobody has written any. */
  raw: z.string().nullable(),
  /** Whether alerts for owners reach others where nobody owns the issue: those whom the alert says, or nobody. */
  fallthrough: z.boolean(),
  dateCreated: date.nullable(),
  lastUpdated: date.nullable(),
  isActive: z.boolean(),
  autoAssignment: z.string(),
  codeownersAutoSync: z.boolean(),
  /** The rules as they were understood. */
  schema: z
    .object({
      $version: z.literal(1),
      rules: z.array(
        z.object({
          matcher: z.object({ type: z.string(), pattern: z.string() }),
          owners: z.array(schemaOwner),
        }),
      ),
    })
    .nullable(),
  walk: z.enum(OWNERSHIP_WALKS),
  /** Lines of rules and of the CODEOWNERS file that are not used; a few of many. */
  problems: z.array(lineProblem),
})
export type Ownership = z.output<typeof ownership>

export const getProjectOwnership = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/ownership/',
  ok: ownership,
  summary: 'Whose what is in a project, and whether new issues are assigned to it',
  scope: 'project:read',
})

const rulesText = z.string().max(250_000)

export const updateProjectOwnership = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/ownership/',
  body: z.object({
    raw: rulesText.nullish(),
    fallthrough: z.boolean().optional(),
    autoAssignment: z
      .enum([...AUTO_ASSIGNMENTS, 'Auto Assign to Suspect Commits'])
      .refine(
        (mode) => mode !== 'Auto Assign to Suspect Commits',
        'Firsthand knows of no commits. Choose "Auto Assign to Issue Owner" or "Turn off Auto-Assignment".',
      )
      .optional(),
    codeownersAutoSync: z.literal(false, 'CODEOWNERS files are not fetched. Send them to …/codeowners/.').optional(),
    walk: z.enum(OWNERSHIP_WALKS).optional(),
  }),
  ok: ownership,
  summary: 'Change whose what is in a project; what is not said stays',
  scope: 'project:write',
})

/** Name in the file, e.g. `@acme/web` → e-mail of a member, or `#` and the slug of a team. */
const names = z.record(
  z
    .string()
    .max(200)
    .regex(/^@\S+$/, 'A name of a CODEOWNERS file begins with @.'),
  z
    .string()
    .max(254)
    .regex(/^#\S+$|^[^\s@]+@[^\s@]+$/, 'Write the e-mail of a member, or # and the slug of a team.'),
)

export const codeowners = z.object({
  id,
  raw: z.string(),
  dateCreated: date,
  dateUpdated: date,
  dateSynced: date.nullable(),
  codeMappingId: id.nullable(),
  provider: z.string().nullable(),
  codeOwnersUrl: z.string(),
  /** The file as rules: only lines that are used. */
  ownershipSyntax: z.string(),
  /** Owners of lines whom the organisation does not know. */
  errors: z.object({
    missing_user_emails: z.array(z.string()),
    missing_external_users: z.array(z.string()),
    missing_external_teams: z.array(z.string()),
    teams_without_access: z.array(z.string()),
    users_without_access: z.array(z.string()),
  }),
  names: z.record(z.string(), z.string()),
  problems: z.array(lineProblem),
})
export type Codeowners = z.output<typeof codeowners>

const codeownersBody = z.object({
  raw: z.string().max(900_000),
  names: names.refine((all) => Object.keys(all).length <= 1000, 'At most 1,000 names can be explained.').optional(),
})

export const listCodeowners = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/codeowners/',
  ok: z.array(codeowners),
  summary: 'The CODEOWNERS file of a project: a list of one or none',
  scope: 'project:read',
})

export const createCodeowners = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/codeowners/',
  body: codeownersBody,
  ok: codeowners,
  summary: 'Take in a CODEOWNERS file (201)',
  scope: 'project:write',
})

export const updateCodeowners = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/codeowners/{file}/',
  body: codeownersBody.partial(),
  ok: codeowners,
  summary: 'Change the CODEOWNERS file of a project',
  scope: 'project:write',
})

export const deleteCodeowners = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/codeowners/{file}/',
  ok: empty,
  summary: 'Remove the CODEOWNERS file of a project',
  scope: 'project:write',
})

const ownershipLine = z.object({
  source: z.enum(['codeowners', 'rules']),
  line: z.number(),
  text: z.string(),
})

export const ownershipTest = z.object({
  problems: z.array(lineProblem),
  /** The event that was asked about; null for an example. */
  event: z.object({ id: z.string(), issue: id, title: z.string() }).nullable(),
  /** From the crash outwards. */
  frames: z.array(
    z.object({
      filename: z.string(),
      absPath: z.string(),
      module: z.string(),
      function: z.string(),
      line: z.number().nullable(),
      /** Whether lines were asked about it. */
      isAsked: z.boolean(),
    }),
  ),
  /** The line that decides; null when nobody owns it. */
  decides: ownershipLine.nullable(),
  /** Index into `frames`; null for a line about the event as a whole. */
  frame: z.number().nullable(),
  /** The first is the one that issues are assigned to. */
  owners: z.array(actor),
  losers: z.array(
    ownershipLine.extend({
      frame: z.number().nullable(),
      why: z.enum(['earlier line', 'further from the crash', 'nobody known', 'excludes']),
    }),
  ),
  /** Comparing took too long, so nobody was found. */
  isCutShort: z.boolean(),
})
export type OwnershipTest = z.output<typeof ownershipTest>

export const testOwnership = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/ownership-test/',
  body: z.object({
    /** Rules that are not saved yet; absent for those that are. */
    raw: rulesText.optional(),
    walk: z.enum(OWNERSHIP_WALKS).optional(),
    /** Id or short id of an issue: its newest event. Or the id of an event. */
    about: z.string().max(200).optional(),
    /** Something made up. */
    example: z
      .object({
        path: z.string().max(1000).optional(),
        module: z.string().max(1000).optional(),
        url: z.string().max(1000).optional(),
        tags: z.record(z.string().max(200), z.string().max(200)).optional(),
      })
      .optional(),
  }),
  ok: ownershipTest,
  summary: 'Which line decides whose an event is, and which ones lose; nothing is changed',
  scope: 'event:read',
})
