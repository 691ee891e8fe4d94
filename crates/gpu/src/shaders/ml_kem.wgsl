// The parameters of ML-KEM's kernels.
struct Parameters {
    // How many keys there are.
    count: u32,
    // The index of the first one in the batch.
    first: u32,
    unused: u32,
    // Workgroups in a row of the grid, which has two dimensions.
    width: u32,
}

var<immediate> parameters: Parameters;
