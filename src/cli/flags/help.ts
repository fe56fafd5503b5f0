// The help of `keelson serve`: its flags by section, with types and defaults.

import { defaultServerOptions } from '../../server/options.ts';
import { type Flag, flagTypes } from './flag.ts';
import { flagSections, GLOBAL } from './sections.ts';

/** Columns of `--help` for flags and types; the help of a longer one is in the next line. */
const USAGE_WIDTH = 48;
/** Possible values are listed below a flag. */
const CHOICE_MARGIN = ' '.repeat(12);
const HELP_MARGIN = ' '.repeat(USAGE_WIDTH + 3);

/** The flags in `--help`, in kube-apiserver's sections. */
export function serveFlagTable(): string {
  const sections: { title: string; rows: HelpRow[] }[] = flagSections.map(({ title, flags }) => ({
    title,
    rows: flags.map(helpRow),
  }));
  sections
    .find(({ title }) => title === GLOBAL)!
    .rows.unshift(
      { usage: '    --config string', help: 'A YAML file of flags by their names.' },
      { usage: '-h, --help', help: 'Print this.' },
    );
  return sections
    .map(({ title, rows }) => {
      const lines = rows.map(({ usage, help, more = [] }) => {
        const first = usage.length > USAGE_WIDTH ? `${usage}\n  ${HELP_MARGIN}` : `${usage.padEnd(USAGE_WIDTH)}   `;
        return `  ${first}${[help, ...more].join(`\n${CHOICE_MARGIN}`)}\n`;
      });
      return `${title}:\n\n${lines.join('')}`;
    })
    .join('\n');
}

interface HelpRow {
  readonly usage: string;
  readonly help: string;
  /** Continuation lines. */
  readonly more?: readonly string[];
}

function helpRow(flag: Flag): HelpRow {
  const type = flagTypes[flag.type];
  const letter = flag.letter === undefined ? '   ' : `-${flag.letter},`;
  const shown = type.show(defaultServerOptions[flag.option]);
  return {
    usage: `${letter} --${flag.name} ${type.label}`.trimEnd(),
    help: shown === '' ? flag.help : `${flag.help} (default ${shown})`,
    more: flag.choices?.() ?? [],
  };
}
