export function engineProgram(name: 'firefox' | 'webkit' | 'xvfb'): string
