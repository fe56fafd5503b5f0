// Text encodings of lists, item by item: JSON, compact or indented, and YAML. Other requests run between items.

import { Buffer } from 'node:buffer';
import { escapeHtml, stringifyJson } from '../../api/json-writer.ts';
import type { Turn } from '../../base/short-turns.ts';
import { isLater } from '../../base/soon.ts';
import { carriedOut } from '../../base/steps.ts';
import type { StoredObject } from '../../verbs/resource-request.ts';
import type { ListForm } from './list-form.ts';
import type { PieceWriter } from './piece-writer.ts';

interface ListText {
  readonly form: ListForm;
  readonly objects: Iterable<StoredObject>;
  readonly turn: Turn;
}

/** Writes a list as compact JSON, which ends with a line feed. */
export async function writeJsonList({ form, objects, turn }: ListText, pieces: PieceWriter): Promise<void> {
  const head = stringifyJson(form.head).slice(0, -1);
  await pieces.bytes(Buffer.from(`${head},"${form.itemsName}":`));
  let before = '[';
  for (const object of objects) {
    let wait = pieces.text(before);
    if (wait !== undefined) await wait;
    const making = carriedOut(form.json(object), turn);
    for (const part of isLater(making) ? await making : making) {
      wait = typeof part === 'string' ? pieces.text(part) : pieces.bytes(part);
      if (wait !== undefined) await wait;
    }
    before = ',';
    wait = turn.over();
    if (wait !== undefined) await wait;
  }
  await pieces.text(before === '[' ? `${form.emptyIsNull ? 'null' : '[]'}}\n` : ']}\n');
}

const ITEM_INDENT = '\n    ';

/** Writes a list as indented JSON. */
export async function writeIndentedList({ form, objects, turn }: ListText, pieces: PieceWriter): Promise<void> {
  const put = (text: string) => pieces.bytes(Buffer.from(escapeHtml(text)));
  const head = stringifyJson(form.head, { pretty: true }).slice(0, -'\n}'.length);
  await put(`${head},\n  "${form.itemsName}": `);
  let before = '[';
  for (const object of objects) {
    const making = carriedOut(form.item(object), turn);
    const item = stringifyJson(isLater(making) ? await making : making, { pretty: true });
    let wait = put(before + ITEM_INDENT + item.replaceAll('\n', ITEM_INDENT));
    if (wait !== undefined) await wait;
    before = ',';
    wait = turn.over();
    if (wait !== undefined) await wait;
  }
  await put(before === '[' ? `${form.emptyIsNull ? 'null' : '[]'}\n}` : '\n  ]\n}');
}

/** Writes a list as YAML. */
export async function writeYamlList({ form, objects, turn }: ListText, pieces: PieceWriter): Promise<void> {
  const { stringifyYamlList } = await import('../../api/yaml-writer.ts');
  const { head, itemsName: name, emptyIsNull } = form;
  const items = Iterator.from(objects).map((object) => form.item(object));
  for (const text of stringifyYamlList({ head, name, items, empty: emptyIsNull ? null : [] })) {
    let wait = text === '' ? undefined : pieces.bytes(Buffer.from(text));
    if (wait !== undefined) await wait;
    wait = turn.over();
    if (wait !== undefined) await wait;
  }
}
