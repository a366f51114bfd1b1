import { newEventId, sendItems } from './send.ts'
import { newSpanId, newTraceId } from './transactions.ts'

/**
 * A transaction with its profile, as SDKs 7 to 9 for Node send them, of which all times are known: of the 100 ms of its main
 * thread, 60 in `loadTable`, 30 in `query`, and 10 in which nothing ran. Insists that it is taken.
 *
 * @returns the id of the profile
 */
export const sendProfile = async (
  dsn: string,
  { id = newEventId(), transaction: name }: { readonly id?: string; readonly transaction: string },
): Promise<string> => {
  const [traceId, startMs] = [newTraceId(), Date.now() - 60_000]
  const transaction = { id: newEventId(), name, trace_id: traceId, active_thread_id: '0' }
  const frame = (function_: string, path: string, line: number) => ({
    function: function_,
    abs_path: path,
    lineno: line,
  })
  const answer = await sendItems(
    dsn,
    [
      {
        type: 'transaction',
        payload: {
          event_id: transaction.id,
          type: 'transaction',
          platform: 'node',
          transaction: name,
          start_timestamp: startMs / 1000,
          timestamp: (startMs + 110) / 1000,
          contexts: {
            trace: { trace_id: traceId, span_id: newSpanId(), op: 'http.server', status: 'ok' },
            profile: { profile_id: id },
          },
        },
      },
      {
        type: 'profile',
        payload: {
          event_id: id,
          version: '1',
          platform: 'node',
          timestamp: new Date(startMs).toISOString(),
          release: 'shop@1.2.3',
          transaction,
          profile: {
            frames: [
              frame('handleOrder', '/app/orders.js', 12),
              frame('loadTable', '/app/tax.js', 18),
              frame('query', '/app/node_modules/pg/client.js', 4),
            ],
            stacks: [[1, 0], [2, 0], []],
            samples: [0, 0, 0, 1, 1, 2, 0, 0, 0, 1, 1].map((stack, index) => ({
              elapsed_since_start_ns: String(index * 10_000_000),
              stack_id: stack,
              thread_id: index === 10 ? '1' : '0',
            })),
            thread_metadata: { 0: { name: 'main' }, 1: { name: 'worker' } },
          },
        },
      },
    ],
    { event_id: transaction.id },
  )
  if (!answer.ok) throw new Error(`the profile was refused: ${answer.status} ${await answer.text()}`)
  return id
}
