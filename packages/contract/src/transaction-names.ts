import { z } from './zod.ts'
import { date } from './common.ts'
import { endpoint } from './endpoint.ts'

/** By which rules the transactions of a project are called. */

const use = {
  /** How many transactions were named so. */
  times: z.number(),
  lastUsed: date.nullable(),
  /** The last of them. */
  examples: z.array(z.object({ sent: z.string(), name: z.string() })),
}

const nameRule = z.object({
  /** Parts of a path: `*` stands for one, or for the rest of one, `**` at the end for what follows. */
  pattern: z.string(),
  origin: z.enum(['own', 'learned']),
  /** Learned, but nobody wants it. */
  isRefused: z.boolean(),
  dateCreated: date,
  ...use,
})
export type NameRule = z.output<typeof nameRule>

export const transactionNames = z.object({
  rules: z.array(nameRule),
  /** Names of which parts look like ids: numbers, UUIDs, hashes, dates, e-mail addresses. */
  form: z.object(use),
  /** Names that found no place: all of them are called `<other>`. */
  other: z.object(use),
  /** Parts of names that are known, and how many may be. */
  places: z.number(),
  mostPlaces: z.number(),
  /** From so many different texts at one place of an address on, a rule is learned. */
  learnedFrom: z.number(),
})
export type TransactionNames = z.output<typeof transactionNames>

export const getTransactionNames = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/transaction-names/',
  ok: transactionNames,
  summary: 'By which rules transactions are called: learned ones, and those of the project',
  scope: 'project:read',
})

export const updateTransactionNames = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/transaction-names/',
  body: z.object({
    pattern: z.string().min(1).max(200),
    /** `own` makes a rule and `removed` takes it back; a learned one is `refused`, or `learned` again. */
    state: z.enum(['own', 'removed', 'refused', 'learned']),
  }),
  ok: transactionNames,
  summary: 'Make a rule for names, remove it, refuse a learned one or take that back',
  scope: 'project:write',
})
