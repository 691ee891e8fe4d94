//! Follows what vectors hold through the machine code of one function, from instruction to instruction, and finds
//! branches, addresses, masks of stores, divisions and bit permutations that depend on it.
//!
//! A vector that was loaded from memory may hold pointers and lengths, and what is taken from it remains such as long
//! as it is only copied, added, compared, shifted or masked. Whatever else comes out of a vector or a mask is data. It
//! is followed through registers, flags, and the stack at fixed offsets. What general registers load from elsewhere is
//! taken for public, as are arguments: in the machine code, lengths and keys in memory look alike.

use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register, UsedMemory,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Public,
    /// Of a vector that was loaded: perhaps a pointer or a length.
    Whole,
    Data,
}
use Level::{Data, Public, Whole};

/// What an address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Other,
    /// Constants of the program.
    Constants,
    /// A frame, by the address of the instruction that made it, and an offset in it.
    Frame(u64, i64),
    /// Some place on the stack.
    Stack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    level: Level,
    base: Base,
}

impl Value {
    const PUBLIC: Self = Self::of(Public);

    const fn of(level: Level) -> Self {
        Self { level, base: Base::Other }
    }

    fn join(self, other: Self) -> Self {
        let base = match (self.base, other.base) {
            (a, b) if a == b => a,
            (Base::Frame(..) | Base::Stack, _) | (_, Base::Frame(..) | Base::Stack) => Base::Stack,
            _ => Base::Other,
        };
        Self { level: self.level.max(other.level), base }
    }

    /// An address that is `offset` further, if that is known.
    fn offset(self, offset: Option<i64>) -> Self {
        let base = match (self.base, offset) {
            (Base::Frame(frame, at), Some(offset)) => Base::Frame(frame, at.wrapping_add(offset)),
            (Base::Frame(..), None) => Base::Stack,
            (base, _) => base,
        };
        Self { base, ..self }
    }
}

/// Four bytes of the stack.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot {
    value: Value,
    /// The first half of a register that was stored here.
    spilled: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct State {
    registers: HashMap<Register, Value>,
    /// The lowest bytes of registers, where they were written last.
    lowest: HashMap<Register, Level>,
    flags: Level,
    stack: BTreeMap<(u64, i64), Slot>,
}

impl State {
    fn register(&self, register: Register) -> Value {
        self.registers.get(&register.full_register()).copied().unwrap_or(Value::PUBLIC)
    }

    /// The level of the lowest byte of a register.
    fn lowest(&self, register: Register) -> Level {
        let whole = self.register(register).level;
        self.lowest.get(&register.full_register()).copied().unwrap_or(part(whole))
    }

    /// Whether this changed.
    fn join(&mut self, other: &Self) -> bool {
        let mut changed = false;
        let registers: BTreeSet<Register> = self.lowest.keys().chain(other.lowest.keys()).copied().collect();
        for register in registers {
            let joined = self.lowest(register).max(other.lowest(register));
            changed |= self.lowest.insert(register, joined) != Some(joined);
        }
        let mut set = |old: &mut Value, new: Value| {
            changed |= *old != new;
            *old = new;
        };
        for (register, value) in &other.registers {
            let old = self.registers.entry(*register).or_insert(Value::PUBLIC);
            let joined = old.join(*value);
            set(old, joined);
        }
        for (place, slot) in &other.stack {
            let old = self.stack.entry(*place).or_insert(*slot);
            let joined = old.value.join(slot.value);
            set(&mut old.value, joined);
            old.spilled &= slot.spilled;
        }
        changed |= other.flags > self.flags;
        self.flags = self.flags.max(other.flags);
        changed
    }

    fn address(&self, base: Register, index: Register, displacement: u64) -> Value {
        if base == Register::RIP || (base == Register::None && index == Register::None) {
            return Value { level: Public, base: Base::Constants };
        }
        let displacement = (index == Register::None).then_some(displacement as i64);
        let (base, index) = (self.register(base), self.register(index));
        // In [rax + rcx], either may be the pointer.
        let base = if base.base == Base::Other { Value { base: index.base, ..base } } else { base };
        let at = base.offset(displacement);
        Value { level: at.level.max(index.level), ..at }
    }

    fn load(&self, address: Value, bytes: i64, to_vector: bool) -> Value {
        let whole = Value::of(if to_vector { Whole } else { Public });
        match address.base {
            Base::Other | Base::Stack => whole,
            Base::Constants => Value::PUBLIC,
            Base::Frame(frame, at) => {
                let first = self.stack.get(&(frame, at >> 2));
                if let Some(Slot { value, spilled: true }) = first {
                    return if bytes >= 4 { *value } else { Value::of(value.level.max(part(value.level))) };
                }
                let slots = (at >> 2..(at + bytes + 3) >> 2).map(|slot| self.stack.get(&(frame, slot)));
                let level = slots.map(|slot| slot.map_or(Public, |slot| slot.value.level)).max().unwrap_or(Public);
                Value::of(if bytes < 4 { part(level) } else { level })
            }
        }
    }

    fn store(&mut self, address: Value, bytes: i64, value: Value, register: bool) {
        match address.base {
            Base::Other | Base::Constants | Base::Stack => {}
            Base::Frame(frame, at) => {
                let whole = register && bytes == 8 && at % 4 == 0;
                for (i, slot) in (at >> 2..(at + bytes + 3) >> 2).enumerate() {
                    let new =
                        Slot { value: if whole { value } else { Value::of(value.level) }, spilled: whole && i == 0 };
                    self.stack.insert((frame, slot), new);
                }
            }
        }
    }
}

/// The level of a byte of something.
fn part(level: Level) -> Level {
    if level == Public { Public } else { Data }
}

/// Whether an instruction leaves pointers pointers and lengths lengths.
fn keeps_whole(instruction: &Instruction) -> bool {
    use Mnemonic::*;
    match instruction.mnemonic() {
        Mov | Add | Sub | Lea | Cmp | Test | Inc | Dec | Neg | Shl | Shr | Shlx | Shrx | And | Push | Pop | Xchg => {
            true
        }
        Vmovups | Vmovaps | Vmovupd | Vmovapd | Vmovdqu | Vmovdqa | Vmovdqu8 | Vmovdqu16 | Vmovdqu32 | Vmovdqu64 => {
            true
        }
        Vmovdqa32 | Vmovdqa64 | Vmovq | Movups | Movaps | Movdqa | Movdqu | Movq => true,
        Imul => instruction.op_count() == 3,
        _ => is_conditional_move(instruction),
    }
}

fn is_conditional_move(instruction: &Instruction) -> bool {
    instruction.condition_code() != ConditionCode::None && !instruction.is_jcc_short_or_near()
}

/// What should not depend on data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A division, a bit permutation by data, or a vector of addresses.
    Instruction,
    Branch,
    Address,
    /// A mask of a store, which decides where bytes are written.
    Mask,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    pub(crate) mnemonic: String,
    pub(crate) address: u64,
}

/// Findings in a function, up to its calls: all but one kernel call only what ends the program.
pub(crate) fn findings(code: &[u8], address: u64) -> Vec<Finding> {
    let instructions: Vec<Instruction> = Decoder::with_ip(64, code, address, DecoderOptions::NONE).iter().collect();
    let index: HashMap<u64, usize> = instructions.iter().enumerate().map(|(i, at)| (at.ip(), i)).collect();
    let mut leaders = vec![false; instructions.len() + 1];
    for (i, instruction) in instructions.iter().enumerate() {
        if instruction.flow_control() != FlowControl::Next {
            leaders[i + 1] = true;
            if let Some(&target) = index.get(&instruction.near_branch_target()) {
                leaders[target] = true;
            }
        }
    }
    let mut before: BTreeMap<usize, State> = BTreeMap::new();
    let mut start = State { registers: HashMap::new(), lowest: HashMap::new(), flags: Public, stack: BTreeMap::new() };
    start.registers.insert(Register::RSP, Value { level: Public, base: Base::Frame(0, 0) });
    before.insert(0, start);
    let (mut work, mut found, mut factory) = (vec![0], vec![], InstructionInfoFactory::new());
    while let Some(block) = work.pop() {
        let mut state = before[&block].clone();
        for at in block..instructions.len() {
            let instruction = &instructions[at];
            step(&mut state, instruction, &mut factory, &mut found);
            let mut next = vec![];
            let falls_through = match instruction.flow_control() {
                FlowControl::Next => true,
                FlowControl::ConditionalBranch => {
                    next.extend(index.get(&instruction.near_branch_target()));
                    true
                }
                FlowControl::UnconditionalBranch => {
                    next.extend(index.get(&instruction.near_branch_target()));
                    false
                }
                // A table of jumps, to any block that nothing runs into.
                FlowControl::IndirectBranch => {
                    let ends = |i: usize| {
                        matches!(
                            instructions[i].flow_control(),
                            FlowControl::UnconditionalBranch | FlowControl::IndirectBranch | FlowControl::Return
                        )
                    };
                    next.extend((1..instructions.len()).filter(|&i| ends(i - 1)));
                    false
                }
                _ => false,
            };
            if falls_through && leaders[at + 1] && at + 1 < instructions.len() {
                next.push(at + 1);
            }
            for next in next {
                let changed = match before.get_mut(&next) {
                    Some(old) => old.join(&state),
                    None => before.insert(next, state.clone()).is_none(),
                };
                if changed {
                    work.push(next);
                }
            }
            if !falls_through || leaders[at + 1] {
                break;
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn step(state: &mut State, instruction: &Instruction, factory: &mut InstructionInfoFactory, found: &mut Vec<Finding>) {
    use OpAccess::{CondRead, CondWrite, NoMemAccess, Read, ReadCondWrite, ReadWrite, Write};
    let info = factory.info(instruction);
    let mnemonic = instruction.mnemonic();
    let mut find = |kind| {
        found.push(Finding { kind, mnemonic: format!("{mnemonic:?}"), address: instruction.ip() });
    };
    let reads = |access| matches!(access, Read | CondRead | ReadWrite | ReadCondWrite);
    let writes = |access| matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite);
    if matches!(mnemonic, Mnemonic::Ret | Mnemonic::Nop | Mnemonic::Endbr64) {
        return;
    }
    let operands: Vec<(Register, OpAccess)> = (0..instruction.op_count())
        .filter(|&i| instruction.op_kind(i) == OpKind::Register)
        .map(|i| (instruction.op_register(i), info.op_access(i)))
        .collect();
    let is_operand = |register: Register| {
        operands.iter().any(|(operand, access)| operand.full_register() == register.full_register() && reads(*access))
    };
    if matches!(mnemonic, Mnemonic::Div | Mnemonic::Idiv) || instruction.is_vsib() {
        find(Kind::Instruction);
    }

    // Addresses, and what comes from there.
    let (mut input, mut loaded) = (Value::PUBLIC, None);
    let mut in_address = vec![];
    let to_vector = operands.first().is_some_and(|(register, _)| register.is_vector_register());
    for memory in info.used_memory() {
        if instruction.is_stack_instruction()
            && memory.base() == Register::RSP
            && !instruction_names_memory(instruction)
        {
            continue;
        }
        in_address.extend([memory.base(), memory.index()].map(Register::full_register));
        let address = address(state, memory);
        if address.level == Data {
            find(Kind::Address);
        }
        if reads(memory.access()) {
            let value = state.load(address, memory.memory_size().size() as i64, to_vector);
            (input, loaded) = (input.join(value), Some(value));
        }
    }
    let is_lea = mnemonic == Mnemonic::Lea;
    let mut only = None;
    for used in info.used_registers().iter().filter(|used| reads(used.access())) {
        let register = used.register();
        if in_address.contains(&register.full_register()) && !is_operand(register) {
            continue;
        }
        if instruction.is_stack_instruction() && register.full_register() == Register::RSP {
            continue;
        }
        let value = state.register(register);
        let level = match register.size() {
            _ if is_lowest_byte(register) => state.lowest(register),
            ..4 if register.is_gpr() => part(value.level),
            _ => value.level,
        };
        only = Some(value);
        input = Value { level: input.level.max(level), ..input };
    }
    if instruction.rflags_read() != 0 {
        input.level = input.level.max(state.flags);
    }
    if (mnemonic == Mnemonic::Pdep || mnemonic == Mnemonic::Pext) && input.level == Data {
        find(Kind::Instruction);
    }
    if instruction.is_jcc_short_or_near() || matches!(mnemonic, Mnemonic::Jrcxz | Mnemonic::Jecxz) {
        if input.level == Data {
            find(Kind::Branch);
        }
        return;
    }
    if instruction.flow_control() == FlowControl::IndirectBranch && input.level == Data {
        find(Kind::Branch);
    }
    let has_mask = instruction.op_mask() != Register::None;
    let stores = info.used_memory().iter().any(|memory| writes(memory.access()));
    if has_mask && stores && state.register(instruction.op_mask()).level == Data {
        find(Kind::Mask);
    }
    let sources: Vec<Register> = operands.iter().filter(|(_, access)| reads(*access)).map(|(r, _)| *r).collect();

    // What comes out.
    let level = if input.level == Whole && !keeps_whole(instruction) { Data } else { input.level };
    let immediate = || {
        (0..instruction.op_count()).rev().find_map(|i| {
            let is_immediate = !matches!(instruction.op_kind(i), OpKind::Register | OpKind::Memory);
            is_immediate.then(|| instruction.immediate(i) as i64)
        })
    };
    let frame = match mnemonic {
        _ if is_lea => {
            let displacement = instruction.memory_displacement64();
            let address = state.address(instruction.memory_base(), instruction.memory_index(), displacement);
            Some(Value { level: address.level.max(level), ..address })
        }
        Mnemonic::Mov | Mnemonic::Vmovq if operands.len() == 2 => only,
        Mnemonic::Mov => loaded,
        Mnemonic::Add | Mnemonic::Sub if instruction.op0_kind() == OpKind::Register => {
            let first = state.register(instruction.op0_register());
            let by_register = instruction.op1_kind() == OpKind::Register;
            let second = if by_register { state.register(instruction.op1_register()) } else { Value::PUBLIC };
            let by = if by_register || instruction.op1_kind() == OpKind::Memory { None } else { immediate() };
            let by = if mnemonic == Mnemonic::Sub { by.map(i64::wrapping_neg) } else { by };
            Some(if first.base == Base::Other { second.offset(None) } else { first.offset(by) })
        }
        Mnemonic::And if instruction.op0_kind() == OpKind::Register => {
            let old = state.register(instruction.op0_register());
            let aligned = matches!(old.base, Base::Frame(..)) && instruction.op0_register() == Register::RSP;
            aligned
                .then_some(Value { level: Public, base: Base::Frame(instruction.ip(), 0) })
                .or(Some(old.offset(None)))
        }
        Mnemonic::Inc | Mnemonic::Dec => only.map(|value| value.offset(None)),
        _ => is_conditional_move(instruction).then(|| {
            let values = operands.iter().map(|(register, _)| state.register(*register));
            values.reduce(Value::join).unwrap_or(Value::PUBLIC)
        }),
    };
    let mut output = Value { level, base: frame.map_or(Base::Other, |value| value.base) };
    let is_cleared = matches!(mnemonic, Mnemonic::Vpternlogd | Mnemonic::Vpternlogq if instruction.immediate(3) == 0xff)
        || matches!(mnemonic, Mnemonic::Kxnorw | Mnemonic::Kxnorq | Mnemonic::Kxnord | Mnemonic::Vpcmpeqd)
            && sources.len() == 2
            && sources[0] == sources[1];
    if is_cleared {
        output = Value::PUBLIC;
    }
    if mnemonic == Mnemonic::Push {
        let rsp = state.register(Register::RSP).offset(Some(-8));
        state.registers.insert(Register::RSP, rsp);
        let value = only.unwrap_or(Value::PUBLIC);
        state.store(rsp, 8, value, true);
        return;
    }
    if mnemonic == Mnemonic::Pop {
        let rsp = state.register(Register::RSP);
        let value = state.load(rsp, 8, false);
        state.registers.insert(Register::RSP, rsp.offset(Some(8)));
        state.registers.insert(instruction.op0_register().full_register(), value);
        return;
    }
    for memory in info.used_memory().iter().filter(|memory| writes(memory.access()) && memory.access() != NoMemAccess) {
        let address = address(state, memory);
        let from_register = operands.iter().any(|(register, _)| register.is_gpr64());
        let stored = if mnemonic == Mnemonic::Mov { only.unwrap_or(Value::PUBLIC) } else { output };
        let stored = if has_mask { stored.join(state.load(address, 4, true)) } else { stored };
        state.store(address, memory.memory_size().size() as i64, stored, from_register && mnemonic == Mnemonic::Mov);
    }
    for used in info.used_registers().iter().filter(|used| writes(used.access())) {
        let register = used.register();
        let whole = register.full_register();
        let partly = (register.is_gpr() && register.size() < 4) || matches!(used.access(), CondWrite | ReadCondWrite);
        let value = if partly { output.join(state.register(whole)) } else { output };
        if is_lowest_byte(register) && used.access() == Write {
            state.lowest.insert(whole, output.level);
        } else {
            state.lowest.remove(&whole);
        }
        state.registers.insert(whole, value);
    }
    if instruction.rflags_modified() != 0 {
        let all = instruction.rflags_modified() & (iced_x86::RflagsBits::CF | iced_x86::RflagsBits::ZF);
        let new = if input.level == Whole && keeps_whole(instruction) { Whole } else { level };
        let cleared = instruction.rflags_cleared() != 0 && sources.is_empty() && input.level == Public;
        let new = if cleared { Public } else { new };
        let is_all = all == iced_x86::RflagsBits::CF | iced_x86::RflagsBits::ZF;
        state.flags = if is_all { new } else { new.max(state.flags) };
    }
}

fn address(state: &State, memory: &UsedMemory) -> Value {
    state.address(memory.base(), memory.index(), memory.displacement())
}

fn is_lowest_byte(register: Register) -> bool {
    register.is_gpr8() && !matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

/// Whether a memory operand is written out, and not only implied by a push or pop.
fn instruction_names_memory(instruction: &Instruction) -> bool {
    (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory)
}
