import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Programs of others that are run as their users run them. Their licence (FSL) keeps them out of our dependencies. */

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** @param env all of its variables */
export const runProgram = (
  program: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
  })

/** @returns the path of the program, in a folder of its own below `folder` */
export const installProgram = async (folder: string, name: string, version: string, bin: string): Promise<string> => {
  const place = join(folder, `${bin}-${version}`)
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private": true}')
  // What belongs to it comes as packages; the script that would fetch it from elsewhere does not run.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr } = await runProgram('npm', ['install', ...flags, `${name}@${version}`], { cwd: place })
  if (status !== 0) throw new Error(`npm did not install ${name} ${version}: ${stderr}`)
  return join(place, 'node_modules', '.bin', bin)
}

/** A repository of git with one commit and the address of another as its origin. */
export const makeRepository = async (place: string): Promise<void> => {
  mkdirSync(place)
  writeFileSync(join(place, 'tea.ts'), 'pour()\n')
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example', 'commit', '-q', '-m', 'Tea'],
    ['remote', 'add', 'origin', 'https://github.com/acme/web.git'],
  ]) {
    const { status, stderr } = await runProgram('git', args, { cwd: place })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
}
