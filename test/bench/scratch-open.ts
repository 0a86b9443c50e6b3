import { openTerminal } from '../support/terminal.ts';
import { keyCost } from './measures.ts';
const file=process.argv[2]!;
const t0=performance.now();
const terminal = await openTerminal({ args:['open',file], columns:120, rows:40 });
await terminal.waitFor(/\b(HIT|MISS)\b.* 200 /, {timeout:60000, what:'x'}); console.log('first rows', performance.now()-terminal.startedAt);
const lat:number[]=[]; 
while(!/READ$/.test(terminal.screen()[0]??'')) { const m=terminal.mark(); await terminal.type('j'); const t=performance.now(); const before=terminal.screen().findIndex(l=>l.startsWith('▌')); 
 await new Promise(r=>setTimeout(r,30)); const s=terminal.since(m); if(s.firstMs!==null) lat.push(s.firstMs); }
console.log('READ', performance.now()-terminal.startedAt, 'keys', lat.length, 'p50', lat.sort((a,b)=>a-b)[lat.length>>1], 'max', lat.at(-1), lat.slice(-8));
console.log(terminal.usage());
async function goal(name:string, keys:string, pattern:RegExp|((s:readonly string[])=>boolean)) { await terminal.settled(150); const c=terminal.usage().cpuMs; const at=performance.now(); await terminal.type(keys); await terminal.waitFor(pattern as any,{timeout:30000, what:name}); const ms=performance.now()-at; await terminal.settled(150); console.log(name.padEnd(28), ms.toFixed(1), 'cpu', (terminal.usage().cpuMs-c)); }
for (const q of ['status:5xx','cache:MISS','ua~curl','hls','"union select"','url~login','ip:10.0.0.0/8']) {
 await terminal.type('i'); await terminal.settled(100); await terminal.type('<C-u>'+q); await terminal.settled(150);
 await goal('filter '+q,'<Enter>', (s)=>/hidden here/.test(s[2]??'') && /filtered/.test(s[1]??''));
 await goal('drop all','X',(s)=>!/hidden here/.test(s[2]??'')&& !/filtered/.test(s[1]??''));
}
await terminal.type('b'); await terminal.waitFor('GROUP BY'); await terminal.type('jj<Space>'); await terminal.settled(100);
await goal('group cache','<Enter>',(s)=>/by cache/.test(s[0]??'')&&s.some(l=>/HIT .*%/.test(l)));
await terminal.type('<Esc>'); await terminal.settled(100);
for (const [n,k] of [['j',['j','k','j','j']],['PgDn',['<PgDn>','<PgDn>','<PgUp>']],['gG',['g','G']]] as const) { const c=await keyCost(terminal,k,10); console.log(n,c.settledP50.toFixed(2),c.settledP99.toFixed(2),c.bytes,c.ideal); }
console.log(terminal.usage());
await terminal.close();
