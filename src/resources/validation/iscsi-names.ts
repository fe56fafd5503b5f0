// Names of iSCSI nodes in the form `iqn.2001-04.com.example:disks`.

const HEAD = /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]/;

/**
 * Whether a text ends in an iSCSI qualified name: `iqn.`, a month, an authority, a colon and a name. Any text may
 * precede it, as in Kubernetes.
 */
export function endsInQualifiedName(text: string): boolean {
  // No part may contain these, so the name begins after the last of them.
  const parts = (text.split(/[,;*&$|\t\n\f\r ]/).at(-1) as string).split(':');
  const last = parts.length - 1;
  return parts.some((part, index) => {
    const hasName = index < last - 1 || (index === last - 1 && parts[last] !== '');
    return hasName && HEAD.test(part.split(/[^A-Za-z0-9.-]/).at(-1) as string);
  });
}
