//! Conic programs over the forces of the contacts, solved by Clarabel [Goulart & Chen 2024].
//!
//! A program's variables are N and N c of every [`Cone`], then those of its own.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

use crate::QualityError;
use crate::cones::Cone;
use crate::vector6::Vector6;

/// What the solver is asked for, one after the other where it gets no farther. Forces are of the order
/// of 1. Where the constraints can just be satisfied, rounding ends its progress early.
const TOLERANCES: [f64; 3] = [1.0e-12, 1.0e-9, 1.0e-6];

/// `minimise cost · x` under constraints.
pub(crate) struct Program<'a> {
    cones: &'a [Cone],
    cost: Vec<f64>,
    entries: (Vec<usize>, Vec<usize>, Vec<f64>),
    bounds: Vec<f64>,
    kinds: Vec<SupportedConeT<f64>>,
}

impl<'a> Program<'a> {
    /// With so many variables beside those of the cones.
    pub fn new(cones: &'a [Cone], own: usize) -> Program<'a> {
        let forces: usize = cones.iter().map(|cone| 1 + cone.friction.len()).sum();
        Program {
            cones,
            cost: vec![0.0; forces + own],
            entries: Default::default(),
            bounds: Vec::new(),
            kinds: Vec::new(),
        }
    }

    /// The number of one of the program's own variables.
    pub fn own(&self, index: usize) -> usize {
        let forces: usize = self.cones.iter().map(|cone| 1 + cone.friction.len()).sum();
        forces + index
    }

    /// The variables N, each with the cone it belongs to.
    pub fn normal_forces(&self) -> Vec<(usize, &'a Cone)> {
        let mut next = 0;
        let numbered = self.cones.iter().map(|cone| {
            let variable = next;
            next += 1 + cone.friction.len();
            (variable, cone)
        });
        numbered.collect()
    }

    /// What the sum over a variable costs.
    pub fn minimise(&mut self, variable: usize, cost: f64) {
        self.cost[variable] = cost;
    }

    /// The wrenches of all cones sum up to this.
    pub fn sum_to(&mut self, wrench: &Vector6) {
        for i in 0..6 {
            let mut row = Vec::new();
            for (normal, cone) in self.normal_forces() {
                row.push((normal, cone.normal[i]));
                let friction = cone.friction.iter().enumerate();
                row.extend(friction.map(|(k, t)| (normal + 1 + k, t[i])));
            }
            self.equal(&row, wrench[i]);
        }
    }

    /// `Σ a x = b`.
    pub fn equal(&mut self, row: &[(usize, f64)], value: f64) {
        self.row(row, value);
        self.kinds.push(SupportedConeT::ZeroConeT(1));
    }

    /// `Σ a x ≤ b`.
    pub fn at_most(&mut self, row: &[(usize, f64)], value: f64) {
        self.row(row, value);
        self.kinds.push(SupportedConeT::NonnegativeConeT(1));
    }

    /// Every force lies in its cone, with at least the margin left: `|N c| ≤ N − margin`.
    pub fn within_cones(&mut self, margin: Option<usize>) {
        for (normal, cone) in self.normal_forces() {
            let mut row = vec![(normal, -1.0)];
            row.extend(margin.map(|margin| (margin, 1.0)));
            self.row(&row, 0.0);
            for k in 0..cone.friction.len() {
                self.row(&[(normal + 1 + k, -1.0)], 0.0);
            }
            let size = 1 + cone.friction.len();
            self.kinds.push(SupportedConeT::SecondOrderConeT(size));
        }
    }

    fn row(&mut self, row: &[(usize, f64)], value: f64) {
        let (rows, columns, values) = &mut self.entries;
        for (column, entry) in row {
            rows.push(self.bounds.len());
            columns.push(*column);
            values.push(*entry);
        }
        self.bounds.push(value);
    }

    /// The least cost; none if nothing satisfies the constraints.
    pub fn solve(self) -> Result<Option<f64>, QualityError> {
        let mut status = SolverStatus::Unsolved;
        for tolerance in TOLERANCES {
            let mut solver = self.solver(tolerance)?;
            solver.solve();
            status = solver.solution.status;
            match status {
                SolverStatus::Solved => return Ok(Some(solver.solution.obj_val)),
                SolverStatus::PrimalInfeasible => return Ok(None),
                _ => {}
            }
        }
        Err(QualityError::Solver(format!("{status:?}")))
    }

    fn solver(&self, tolerance: f64) -> Result<DefaultSolver<f64>, QualityError> {
        let (rows, columns, values) = self.entries.clone();
        let size = self.cost.len();
        let constraints =
            CscMatrix::new_from_triplets(self.bounds.len(), size, rows, columns, values);
        let settings = DefaultSettings {
            verbose: false,
            max_iter: 200,
            tol_gap_abs: tolerance,
            tol_gap_rel: tolerance,
            tol_feas: tolerance,
            ..DefaultSettings::default()
        };
        let curvature = CscMatrix::zeros((size, size));
        DefaultSolver::new(
            &curvature,
            &self.cost,
            &constraints,
            &self.bounds,
            &self.kinds,
            settings,
        )
        .map_err(|error| QualityError::Solver(error.to_string()))
    }
}
