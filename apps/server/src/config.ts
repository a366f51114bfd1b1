import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { readAddressRange } from './lib/address-range.ts'
import { LOG_LEVELS } from './lib/logger.ts'

/** First words of paths that the server answers otherwise. */
const TAKEN_PATHS: ReadonlySet<string> = new Set([
  '/api',
  '/f',
  '/sdk',
  '/_health',
  '/still',
  '/assets',
  '/organizations',
  '/auth',
])

/** The configuration: environment and command line, read once, then frozen. Limits are in the `limits.ts` of each folder. */
const environment = z.object({
  FIRSTHAND_PORT: z.coerce.number().int().min(0).max(65_535).default(9000),
  FIRSTHAND_HOST: z.string().min(1).default('0.0.0.0'),
  FIRSTHAND_DATA_DIR: z.string().min(1).default('./data'),
  FIRSTHAND_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  FIRSTHAND_TRUSTED_PROXIES: z.string().default(''),
  FIRSTHAND_REACHABLE_RANGES: z.string().default(''),
  FIRSTHAND_POSTGRES_URL: z.url().optional(),
  FIRSTHAND_CLICKHOUSE_URL: z.url().optional(),
  FIRSTHAND_S3_URL: z.url().optional(),
  FIRSTHAND_SMTP_URL: z.url().optional(),
  FIRSTHAND_TUNNEL_PATH: z
    .string()
    .regex(/^\/[\w-]{1,64}$/, 'write a path of one word, for example /k3x9')
    .refine((path) => !TAKEN_PATHS.has(path), 'this path has another meaning; choose another word')
    .optional(),
  FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: z.coerce.number().int().min(0).optional(),
  FIRSTHAND_OWN_TRACES_SAMPLE_RATE: z.coerce.number().min(0).max(1).default(1),
  FIRSTHAND_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
})

export interface Config {
  readonly port: number
  /** Whether somebody chose the port; 0 is no choice. */
  readonly portGiven: boolean
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** Without a final slash; null means: derive it from the request. */
  readonly publicUrl: string | null
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Addresses or CIDR ranges inside of networks that may be asked for what recorded pages name. */
  readonly reachableRanges: readonly string[]
  readonly postgresUrl: string | null
  readonly clickhouseUrl: string | null
  readonly s3Url: string | null
  readonly smtpUrl: string | null
  /** A further path of the same-origin tunnel, which ad-blockers do not know; null for none. */
  readonly tunnelPath: string | null
  /** What an organisation may send in a day; 0 is no limit, null is derived from the size of the disk. */
  readonly organizationBytesPerDay: number | null
  /** Share of its own page loads and navigations that the console reports, 0 for none. */
  readonly ownTracesSampleRate: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

/** Thrown with a sentence that names the variable and what to write instead. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const listOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((entry) => entry !== '')

/** @throws ConfigError */
const rangesOf = (text: string): readonly string[] => {
  const entries = listOf(text)
  const wrong = entries.find((entry) => readAddressRange(entry) === null)
  if (wrong === undefined) return entries
  throw new ConfigError(
    `FIRSTHAND_REACHABLE_RANGES: "${wrong}" is neither an address nor a range. Write for example 10.0.0.0/8 or ::1.`,
  )
}

/**
 * @param variables usually `process.env`; empty strings count as absent
 * @throws ConfigError
 */
export const readConfig = (variables: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => name.startsWith('FIRSTHAND_') && value !== ''),
  )
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`The configuration cannot be used. Correct these variables: ${problems.join('; ')}`)
  }
  const values = parsed.data
  return Object.freeze({
    port: values.FIRSTHAND_PORT,
    portGiven: given['FIRSTHAND_PORT'] !== undefined && values.FIRSTHAND_PORT !== 0,
    host: values.FIRSTHAND_HOST,
    dataDir: isAbsolute(values.FIRSTHAND_DATA_DIR) ? values.FIRSTHAND_DATA_DIR : resolve(values.FIRSTHAND_DATA_DIR),
    publicUrl: values.FIRSTHAND_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    trustedProxies: listOf(values.FIRSTHAND_TRUSTED_PROXIES),
    reachableRanges: rangesOf(values.FIRSTHAND_REACHABLE_RANGES),
    postgresUrl: values.FIRSTHAND_POSTGRES_URL ?? null,
    clickhouseUrl: values.FIRSTHAND_CLICKHOUSE_URL ?? null,
    s3Url: values.FIRSTHAND_S3_URL ?? null,
    smtpUrl: values.FIRSTHAND_SMTP_URL ?? null,
    tunnelPath: values.FIRSTHAND_TUNNEL_PATH ?? null,
    organizationBytesPerDay: values.FIRSTHAND_ORGANIZATION_BYTES_PER_DAY ?? null,
    ownTracesSampleRate: values.FIRSTHAND_OWN_TRACES_SAMPLE_RATE,
    logLevel: values.FIRSTHAND_LOG_LEVEL,
  })
}
