import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

/**
 * Asks a question on a terminal and does not show what is typed.
 *
 * @returns the line; null where there is no terminal on both sides
 * @throws when the person gives up (Ctrl-C, Ctrl-D)
 */
export const askSecret = async (
  { input, output }: { readonly input: ReadStream; readonly output: WriteStream },
  question: string,
): Promise<string | null> => {
  if (!input.isTTY || !output.isTTY) return null
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silence, terminal: true, historySize: 0 })
  // Only now: from here on the terminal repeats nothing.
  output.write(question)
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new Error('given up; nothing was changed.')))
      lines.once('close', () => reject(new Error('given up; nothing was changed.')))
    })
  } finally {
    lines.close()
    output.write('\n')
  }
}
