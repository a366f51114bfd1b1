import { spawnSync } from 'node:child_process'

/**
 * Copies files and folders as `cp` does, also of a server that runs: what vanishes while it copies is left out, as with any
 * copy of files in use.
 *
 * @throws Error for anything else that `cp` complains of
 */
export const copyWith = (flags: string, from: readonly string[], to: string): void => {
  const { stderr, error } = spawnSync('cp', [flags, ...from, to], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  if (error !== undefined) throw error
  const complaints = stderr.split('\n').filter((line) => line !== '' && !line.endsWith('No such file or directory'))
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}
