import { endpoint } from '@firsthand/contract'
import { z } from 'zod'
import { CAPABILITIES } from '../../src/capabilities.ts'
import type { Capability } from '../../src/capability.ts'
import { ledgerMigrationsOf, telemetryMigrationsOf } from '../../src/compose-stores.ts'
import { bind } from '../../src/http/index.ts'
import { ok } from '../../src/lib/result.ts'
import { encodeLines } from '../../src/storage/telemetry/row-writer.ts'
import type { RowTable } from '../../src/storage/telemetry/row-writer.ts'
import { line, milliseconds, text } from '../../src/storage/telemetry/tab-separated.ts'

/** A capability that Firsthand does not have: greetings, counted in the ledger and kept in telemetry. */

declare module '../../src/storage/ledger/schema.ts' {
  interface LedgerSchema {
    greetings: { id: string; batch: number }
  }
}

interface Greeting {
  readonly projectId: number
  readonly organizationId: number
  readonly id: string
  readonly at: number
}

const TABLE: RowTable<Greeting> = {
  lookup: { table: 'greetings', id: 'id', idType: 'String', time: 'at' },
  columns: ['organization_id', 'project_id', 'id', 'at'],
  encode: (rows) =>
    encodeLines(rows, (row) => line([row.organizationId, row.projectId, text(row.id), milliseconds(row.at)])),
  placeOf: (row) => row,
}

const getGreetings = endpoint({
  method: 'GET',
  path: '/organizations/{org}/greetings/',
  ok: z.object({ counted: z.array(z.string()), stored: z.array(z.string()) }),
  summary: 'Ids of greetings, as both stores have them',
  scope: 'event:read',
})

export const greetings: Capability = {
  name: 'greetings',
  ledgerMigrations: (dialect) => {
    const number = ledgerMigrationsOf(CAPABILITIES)(dialect).length + 1
    return [{ number, name: 'greetings', statements: ['CREATE TABLE greetings (id text PRIMARY KEY, batch integer)'] }]
  },
  telemetryMigrations: [
    {
      number: telemetryMigrationsOf(CAPABILITIES).length + 1,
      name: 'greetings',
      statements: [
        `CREATE TABLE IF NOT EXISTS greetings
          (organization_id UInt32, project_id UInt64, id String, at DateTime64(3, 'UTC'))
          ENGINE = MergeTree PARTITION BY toMonday(at) ORDER BY (project_id, at)
          SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1`,
      ],
    },
  ],
  agingTables: [{ table: 'greetings', time: 'at' }],
  itemRules: new Map(['greeting', 'form_data'].map((type) => [type, { bytes: 1024, perEnvelope: 1, json: 'refuse' }])),
  digest: async ({ writer }) => [
    {
      name: 'greetings',
      // The second is kept by a server that does not know greetings.
      takes: ['greeting', 'form_data'],
      expand: (item) => ok(item.eventId ?? ''),
      apply: async ({ transaction, batch, isRepeated }, entries) => {
        if (!isRepeated && entries.length > 0) {
          const rows = entries.map(({ value }) => ({ id: String(value), batch }))
          await transaction.insertInto('greetings').values(rows).execute()
        }
        return entries.map(() => ({ isStored: true, stored: null }))
      },
      write: (stored, to) =>
        writer.insertRows(
          TABLE,
          stored.map(({ entry: { item, value } }) => ({ ...item.sender, id: String(value), at: item.receivedAt })),
          to,
        ),
      announce: (stored) =>
        stored.map(({ entry: { item, value } }) => ({
          organizationId: item.sender.organizationId,
          projectId: item.sender.projectId,
          data: value,
        })),
    },
  ],
  serve: async ({ client, ledger, live }) => ({
    routes: [
      bind(getGreetings, async ({ request }) => {
        const counted = await ledger.db.selectFrom('greetings').select('id').execute()
        const answer = await client.query({
          query: 'SELECT id FROM greetings WHERE organization_id = {organization:UInt32}',
          query_params: { organization: request.organization.id },
          format: 'JSONEachRow',
        })
        const stored = await answer.json<{ id: string }>()
        return { body: { counted: counted.map(({ id }) => id), stored: stored.map(({ id }) => id) } }
      }),
    ],
    hear: {
      greetings: ({ organizationId, projectId, at, data }) =>
        live.publish({ topic: 'greetings', organizationId, projectId, at, data: { id: data } }),
    },
  }),
}

/** Before the kept items, whose rule for the type that greetings take over is none any more. */
export const WITH_GREETINGS: readonly Capability[] = [greetings, ...CAPABILITIES]
